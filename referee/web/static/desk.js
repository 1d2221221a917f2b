// The desk without waiting: 3-2-1-Go, plus and minus, and a page that stays true while nobody is typing.
// What is pressed is sent beside the page, so that it neither jumps nor falls silent.

import { Line } from "./live.js";
import { morph } from "./morph.js";
import { Announcer } from "./voice.js";

const desk = document.getElementById("desk");
const announcer = new Announcer();
const SAID_MS = 4000; // so long an answer stays, whatever else changes
let busy = false;
let missed = false; // something changed that this page doesn't show yet
let refreshing = false;
let saidAt = -Infinity;

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

document.addEventListener("input", () => { busy = true; });

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!desk.contains(form)) return;
  event.preventDefault();
  const go = form.querySelector("[data-countdown]");
  if (go) return countDown(go, form);
  send(form, event.submitter);
});

function countDown(button, form) {
  if (button.dataset.counting) return;
  // Whoever starts the round hears it: this tap is what browsers ask for before they make a sound.
  announcer.turnOn();
  busy = true;
  button.dataset.counting = "on";
  let left = 3;
  const tick = () => {
    button.textContent = left > 0 ? String(left) : desk.dataset.go;
    if (left-- > 0) return setTimeout(tick, 1000);
    send(form);
  };
  tick();
}

async function send(form, pressed = null) {
  if (form.dataset.sent) return;
  form.dataset.sent = "yes";
  busy = true;
  // A button may stand outside its form.
  const button = form.querySelector("[data-busy]") ?? pressed?.closest("[data-busy]");
  if (button) button.textContent = button.dataset.busy;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const fresh = deskOf(await answer.text());
    if (!fresh) return location.assign(answer.redirected ? answer.url : "/desk");
    saidAt = -Infinity;
    show(fresh, form.closest("details"));
    saidAt = Date.now();
    desk.querySelector(".done, .error")?.focus({ preventScroll: true });
  } catch {
    say(desk.dataset.lost);
  } finally {
    delete form.dataset.sent;
    busy = false;
    // What happened meanwhile may be newer than the answer.
    if (missed) refresh();
  }
}

function say(words) {
  const message = Object.assign(document.createElement("p"), { className: "error", textContent: words });
  message.setAttribute("role", "alert");
  for (const old of desk.querySelectorAll(".done, .error")) old.remove();
  desk.querySelector("h1").after(message);
}

const deskOf = (text) => new DOMParser().parseFromString(text, "text/html").getElementById("desk");

/** Make the page what the server says it is; what a person has folded out stays so, but for what was just done. */
function show(page, done = null) {
  for (const [fresh, old] of pairs(page)) {
    // What is due now unfolds by itself.
    const due = "due" in fresh.dataset && !("due" in old.dataset);
    if (old !== done && !due) fresh.open = old.open;
  }
  const said = desk.querySelector(".done, .error");
  if (said && Date.now() - saidAt < SAID_MS) page.querySelector("h1").after(said.cloneNode(true));
  else for (const message of desk.querySelectorAll(".done, .error")) message.remove();
  morph(desk, page.innerHTML);
  // What was typed is sent by now: the fields hold what the server says.
  for (const form of desk.querySelectorAll("form")) form.reset();
}

const occupied = () => busy || desk.querySelector("details[open] input:focus") !== null;

async function refresh() {
  missed = true;
  if (refreshing) return;
  refreshing = true;
  try {
    while (missed && !occupied()) {
      missed = false;
      const answer = await fetch("/desk", { cache: "no-store" });
      if (!answer.ok) return;
      const page = deskOf(await answer.text());
      missed ||= occupied();
      if (missed) continue;
      if (!page) return location.reload();
      show(page);
    }
  } catch {
    // The line begins anew once the server is there again, and then this page is asked for, too.
  } finally {
    refreshing = false;
  }
}

document.addEventListener("focusout", () => setTimeout(() => missed && refresh()));

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
