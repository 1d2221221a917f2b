// The line to the server: a stream, or polling where streams are all taken. It never gives up, and it
// notices by itself that a phone slept, a network changed or the server was started again.

const SILENCE_MS = 4000; // the server speaks every second
const POLL_MS = 1000;
const HIDDEN_MS = 10000; // a browser has six connections to one host: a page that nobody sees gives its own back

export class Line {
  /** `on` has `board(message)`, `beat(beat)`, `lost(seconds)`, and `stays()`: keep the line though nobody looks. */
  constructor(streamUrl, stateUrl, lastId, on) {
    this.streamUrl = streamUrl;
    this.stateUrl = stateUrl;
    this.lastId = lastId;
    this.on = on;
    this.heard = Date.now();
    this.retryAt = 0;
    this.source = null;
    this.polling = false;
    this.seen = Date.now();
    setInterval(() => this.watch(), 1000);
    for (const [target, name] of [[document, "visibilitychange"], [window, "pageshow"], [window, "online"]]) {
      target.addEventListener(name, () => document.visibilityState === "visible" && this.wake());
    }
    this.open();
  }

  open() {
    this.close();
    const source = new EventSource(this.streamUrl);
    this.source = source;
    source.addEventListener("board", (event) => this.hear(() => this.board(JSON.parse(event.data))));
    source.addEventListener("beat", (event) => this.hear(() => this.on.beat(JSON.parse(event.data))));
    source.addEventListener("error", () => {
      // A refused stream is closed for good by the browser: ask for the state now, and for a stream again later.
      if (source.readyState === EventSource.CLOSED) {
        this.close();
        this.retryAt = Date.now() + 10000;
        this.poll();
      }
    });
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  hear(act) {
    this.heard = Date.now();
    act();
  }

  board(message) {
    this.lastId = message.id;
    this.on.board(message);
  }

  wake() {
    if (Date.now() - this.heard > 2500 || this.source?.readyState === EventSource.CLOSED) this.open();
  }

  watch() {
    if (!document.hidden || this.on.stays?.()) this.seen = Date.now();
    if (Date.now() - this.seen > HIDDEN_MS) return this.close();
    const silent = Date.now() - this.heard;
    if (silent > SILENCE_MS) {
      this.on.lost(Math.round(silent / 1000));
      // A half-dead connection gives no error: after a while, start anew.
      if (this.source && silent % 6000 < 1000) this.open();
    }
    if (!this.source) Date.now() > this.retryAt ? this.open() : this.poll();
  }

  async poll() {
    if (this.polling) return;
    this.polling = true;
    try {
      const url = new URL(this.stateUrl, location.href);
      url.searchParams.set("after", this.lastId);
      const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(POLL_MS * 3) });
      if (answer.ok) {
        const state = await answer.json();
        this.hear(() => {
          if (state.html !== undefined) this.board(state);
          this.on.beat(state.beat);
        });
      }
    } catch {
      // Silence is noticed by watch(), which says so in words.
    } finally {
      this.polling = false;
    }
  }
}
