// The table's picture, twice a second while somebody looks, how the camera is doing, and the zones.

import { morph } from "./morph.js";
import { Zones } from "./zones.js";

const picture = document.getElementById("table");
const missing = document.getElementById("table-missing");
const seen = document.getElementById("seen");
const svg = document.getElementById("zones");
const EVERY_MS = 500;
const ABOVE_MS = 1000;

document.documentElement.classList.add("scripted");

async function get(url) {
  const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(4000) });
  if (answer.status === 403) location.assign("/desk");
  return answer;
}

async function repeat(every, act) {
  if (!document.hidden) {
    try {
      await act();
    } catch {
      // The server is away: the next turn tries again.
    }
  }
  setTimeout(repeat, every, every, act);
}

repeat(EVERY_MS, async () => {
  const answer = await get("/desk/table.jpg");
  // 204: there is none yet.
  const there = answer.status === 200;
  if (there) {
    const old = picture.src;
    picture.src = URL.createObjectURL(await answer.blob());
    if (old) URL.revokeObjectURL(old);
  }
  picture.hidden = !there;
  missing.hidden = there;
});

repeat(2000, async () => {
  const answer = await fetch("/desk/table", { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("seen");
  if (page) morph(seen, page.innerHTML);
});

if (svg) {
  const zones = new Zones(svg, document.getElementById("zones-form"));
  repeat(ABOVE_MS, async () => {
    const answer = await get("/desk/table/above.jpg");
    if (answer.status !== 200) return;
    zones.show(URL.createObjectURL(await answer.blob()), answer.headers.get("Table-Mm").split(" "));
  });
}
