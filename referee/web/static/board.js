// The scoreboard's page: merges what the server sends and says in words how the connection is.

import { Line } from "./live.js";
import { morph } from "./morph.js";
import { Announcer } from "./voice.js";

const board = document.getElementById("board");
const link = document.getElementById("link");
const clock = document.getElementById("clock");
const warnings = document.getElementById("warnings");

const announcer = new Announcer();
announcer.hear(board);
announcer.offer(document.getElementById("voice"));

// A replay opens over the board and goes away with one tap.
const dialog = document.getElementById("clip");
document.addEventListener("click", (event) => {
  const replay = event.target.closest("a.replay");
  if (!replay) return;
  event.preventDefault();
  const video = Object.assign(document.createElement("video"), { controls: true, muted: true, autoplay: true, playsInline: true });
  const words = document.getElementById("clip-words");
  words.textContent = "";
  video.addEventListener("error", () => {
    words.textContent = dialog.dataset.missing;
    video.remove();
  });
  video.src = replay.href;
  dialog.prepend(video);
  dialog.showModal();
});
dialog.addEventListener("close", () => dialog.querySelector("video")?.remove());
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

function play(elements, name) {
  for (const element of elements) {
    element.classList.remove(name);
    void element.getBoundingClientRect(); // starts the animation over
    element.classList.add(name);
    element.addEventListener("animationend", () => element.classList.remove(name), { once: true });
  }
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function ago(seconds) {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

new Line(board.dataset.stream, board.dataset.state, board.dataset.id, {
  board(message) {
    // The program was exchanged for another version: take its page, styles and scripts with it.
    if (message.build !== board.dataset.build) return location.reload();
    board.dataset.id = message.id;
    const notes = morph(board, message.html);
    play(notes.changed, "changed");
    play(notes.arrived, "arrived");
    announcer.hear(board);
  },
  beat(beat) {
    link.dataset.state = beat.state;
    say(link, beat.words);
    say(clock, beat.clock);
    say(warnings, beat.warnings.join(" · "));
    warnings.hidden = !beat.warnings.length;
  },
  stays: () => announcer.speaks,
  lost(seconds) {
    link.dataset.state = "lost";
    say(link, link.dataset.lost.replace("{ago}", ago(seconds)));
  },
});
