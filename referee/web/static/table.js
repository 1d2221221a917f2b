// The table's picture, twice a second while somebody looks, and how the camera is doing.

import { morph } from "./morph.js";

const picture = document.getElementById("table");
const missing = document.getElementById("table-missing");
const seen = document.getElementById("seen");
const EVERY_MS = 500;

async function next() {
  if (!document.hidden) {
    try {
      const answer = await fetch("/desk/table.jpg", { cache: "no-store", signal: AbortSignal.timeout(4000) });
      if (answer.status === 403) return location.assign("/desk");
      if (answer.ok) {
        const old = picture.src;
        picture.src = URL.createObjectURL(await answer.blob());
        if (old) URL.revokeObjectURL(old);
      }
      picture.hidden = !answer.ok;
      missing.hidden = answer.ok;
    } catch {
      // The server is away: the next turn tries again.
    }
  }
  setTimeout(next, EVERY_MS);
}

setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch("/desk/table", { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("seen");
    if (page) morph(seen, page.innerHTML);
  } catch {
    // As above.
  }
}, 2000);

next();
