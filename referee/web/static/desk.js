// The desk without waiting: 3-2-1-Go, plus and minus, and a page that stays true while nobody is typing.

import { Line } from "./live.js";
import { morph } from "./morph.js";
import { Announcer } from "./voice.js";

const desk = document.getElementById("desk");
let busy = false;

document.documentElement.classList.add("scripted");

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (!step) return;
  const input = document.getElementById(step.dataset.for);
  const value = Math.round(Number(input.value) || 0) + Number(step.dataset.step);
  input.value = Math.min(Number(input.max), Math.max(Number(input.min), value));
  busy = true;
});

// One tap takes over a number: the one that was counted, or the one that was followed.
document.addEventListener("click", (event) => {
  const chip = event.target.closest("[data-set]");
  if (!chip) return;
  document.getElementById(chip.dataset.for).value = chip.dataset.set;
  for (const other of chip.parentElement.querySelectorAll("[data-set]")) {
    other.setAttribute("aria-pressed", String(other === chip));
  }
  busy = true;
});

// A count takes a few seconds, and one is enough.
document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("[data-busy]");
  if (!button) return;
  button.textContent = button.dataset.busy;
  button.disabled = true;
});

document.addEventListener("input", () => { busy = true; });

document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("[data-countdown]");
  if (!button || button.dataset.counting === "done") {
    busy = true;
    return;
  }
  event.preventDefault();
  if (button.dataset.counting) return;
  // Whoever starts the round hears it: this tap is what browsers ask for before they make a sound.
  announcer.turnOn();
  busy = true;
  button.dataset.counting = "on";
  let left = 3;
  const tick = () => {
    button.textContent = left > 0 ? String(left) : desk.dataset.go;
    if (left-- > 0) return setTimeout(tick, 1000);
    button.dataset.counting = "done";
    event.target.requestSubmit();
  };
  tick();
});

async function refresh() {
  if (busy || desk.querySelector("details[open] input:focus")) return;
  const answer = await fetch("/desk", { cache: "no-store" });
  if (!answer.ok || busy) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("desk");
  if (!page) return location.reload();
  for (const [fresh, old] of pairs(page)) fresh.open = old.open;
  for (const message of desk.querySelectorAll(".done, .error")) message.remove();
  morph(desk, page.innerHTML);
}

// What a person has folded out stays so.
function pairs(page) {
  const found = [];
  for (const old of desk.querySelectorAll("li[id] > details")) {
    const fresh = page.querySelector(`#${CSS.escape(old.parentElement.id)} > details`);
    if (fresh) found.push([fresh, old]);
  }
  for (const section of desk.querySelectorAll("section[id]")) {
    const olds = section.querySelectorAll(":scope > details");
    const freshs = page.querySelectorAll(`#${CSS.escape(section.id)} > details`);
    olds.forEach((old, k) => freshs[k] && olds.length === freshs.length && found.push([freshs[k], old]));
  }
  return found;
}

const announcer = new Announcer();
let first = true;
new Line(desk.dataset.stream, desk.dataset.state, "", {
  board(message) {
    const template = document.createElement("template");
    template.innerHTML = message.html;
    announcer.hear(template.content);
    // The stream begins with what this page was drawn from.
    if (!first) refresh();
    first = false;
  },
  beat() {},
  stays: () => announcer.speaks,
  lost() {},
});
