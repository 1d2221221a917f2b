// Rulings and Blitz aloud: nobody reads a board in the middle of a round.

const keyOf = (element) => `${element.id}|${element.dataset.say}`;

export class Announcer {
  #known = null;
  #on = false;
  #audio = null;
  #button = null;

  /** Show the button that turns the voice on; a browser wants a tap before it makes a sound. */
  offer(button) {
    this.#button = button;
    button.hidden = false;
    button.addEventListener("click", () => (this.#on ? this.turnOff() : this.turnOn()));
  }

  get speaks() {
    return this.#on;
  }

  turnOn() {
    this.#on = true;
    this.#button?.setAttribute("aria-pressed", "true");
    this.#audio ??= new AudioContext();
    this.#audio.resume();
    this.#tone([660]);
  }

  turnOff() {
    this.#on = false;
    this.#button?.setAttribute("aria-pressed", "false");
    globalThis.speechSynthesis?.cancel();
  }

  /** Say what `root` holds and did not hold before; the first time only remember it. */
  hear(root) {
    const said = new Map([...root.querySelectorAll("[data-say]")].map((element) => [keyOf(element), element]));
    if (this.#known && this.#on) {
      for (const [key, element] of said) if (!this.#known.has(key)) this.#say(element);
    }
    this.#known = new Set([...(this.#known ?? []), ...said.keys()]);
  }

  #say(element) {
    this.#tone(element.id === "headline" ? [523, 659, 784] : [392, 330]);
    if (!globalThis.speechSynthesis) return;
    const words = new SpeechSynthesisUtterance(element.dataset.say.replace(/[\u2068\u2069]/g, ""));
    words.lang = document.documentElement.lang;
    words.rate = 1.1;
    speechSynthesis.speak(words);
  }

  #tone(pitches) {
    const start = this.#audio.currentTime;
    pitches.forEach((pitch, k) => {
      const tone = this.#audio.createOscillator();
      const loud = this.#audio.createGain();
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.2, start + k * 0.16);
      loud.gain.exponentialRampToValueAtTime(0.001, start + k * 0.16 + 0.3);
      tone.connect(loud).connect(this.#audio.destination);
      tone.start(start + k * 0.16);
      tone.stop(start + k * 0.16 + 0.3);
    });
  }
}
