// Zones on the table: dragged with mouse or finger, moved with keys or buttons. The form's numbers are the truth.

const STEP_MM = 5;
const FAR_MM = 25;
const STEP_DEG = 5;
const HANDLE_PX = 12;

const read = (input) => input.value.split(",").map((part) => part.trim().split(/\s+/).map(Number));
const tidy = (value) => (Math.round(value * 10) / 10).toFixed(1);

export class Zones {
  #svg;
  #form;
  #chosen = null;
  #corner = null;
  #drag = null;

  constructor(svg, form) {
    this.#svg = svg;
    this.#form = form;
    new ResizeObserver(() => this.#fit()).observe(svg);
    // A finger on a pile, or on the area that was chosen, drags it; elsewhere it scrolls the page.
    svg.addEventListener("touchstart", (event) => this.#drags(event.target) && event.preventDefault(), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.#grab(event));
    svg.addEventListener("pointermove", (event) => this.#pull(event));
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { this.#drag = null; });
    svg.addEventListener("click", (event) => this.#choose(event.target.closest("[data-zone]")));
    svg.addEventListener("focusin", (event) => this.#choose(event.target.closest("[data-zone]")));
    svg.addEventListener("keydown", (event) => this.#key(event));
    form.addEventListener("click", (event) => {
      const button = event.target.closest("[data-nudge]");
      if (button) this.#nudge(button.dataset.nudge, STEP_MM);
    });
    form.addEventListener("input", (event) => {
      const zone = event.target.dataset.value && this.#zone(event.target.dataset.value);
      if (zone) this.#draw(zone);
    });
  }

  /** Handles are as large as a fingertip needs, however small the table is drawn. */
  #fit() {
    const mm = (HANDLE_PX * this.#svg.viewBox.baseVal.width) / this.#svg.clientWidth;
    for (const handle of this.#svg.querySelectorAll("circle")) handle.setAttribute("r", mm);
  }

  /** Show a new picture from above, and the part of the table that it shows. */
  show(url, area) {
    const image = this.#svg.querySelector("image");
    ["x", "y", "width", "height"].forEach((name, k) => image.setAttribute(name, area[k]));
    this.#svg.setAttribute("viewBox", area.join(" "));
    this.#fit();
    const old = image.getAttribute("href");
    image.setAttribute("href", url);
    if (old.startsWith("blob:")) URL.revokeObjectURL(old);
  }

  #zone(key) {
    return this.#svg.querySelector(`[data-zone="${CSS.escape(key)}"]`);
  }

  #input(zone) {
    return this.#form.querySelector(`[data-value="${CSS.escape(zone.dataset.zone)}"]`);
  }

  #at(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#svg.getScreenCTM().inverse());
  }

  #choose(zone) {
    if (!zone || zone === this.#chosen) return;
    this.#chosen?.setAttribute("aria-pressed", "false");
    this.#chosen = zone;
    this.#corner = null;
    zone.setAttribute("aria-pressed", "true");
    this.#form.querySelector("#chosen").textContent = zone.getAttribute("aria-label");
    const pile = zone.classList.contains("pile");
    for (const button of this.#form.querySelectorAll("[data-nudge]")) {
      button.disabled = !pile && button.dataset.nudge.endsWith("clockwise");
    }
  }

  #drags(target) {
    const zone = target.closest("[data-zone]");
    return zone && (zone === this.#chosen || zone.classList.contains("pile"));
  }

  #grab(event) {
    const zone = event.target.closest("[data-zone]");
    if (!zone || event.button) return;
    if (event.pointerType === "touch" && !this.#drags(event.target)) return;
    event.preventDefault();
    zone.focus({ preventScroll: true });
    this.#choose(zone);
    this.#corner = event.target.dataset.corner === undefined ? null : Number(event.target.dataset.corner);
    this.#drag = { zone, from: this.#at(event), was: read(this.#input(zone)), turn: event.target.classList.contains("turn") };
    this.#svg.setPointerCapture(event.pointerId);
  }

  #pull(event) {
    if (!this.#drag) return;
    const { zone, from, was, turn } = this.#drag;
    const at = this.#at(event);
    if (turn) {
      const [[x, y]] = was;
      const angle = (Math.atan2(at.x - x, y - at.y) * 180) / Math.PI;
      return this.#write(zone, [[x, y, Math.round(angle)]]);
    }
    this.#write(zone, this.#moved(was, at.x - from.x, at.y - from.y));
  }

  #moved(points, dx, dy) {
    return points.map(([x, y, ...rest], k) => (this.#corner === null || this.#corner === k ? [x + dx, y + dy, ...rest] : [x, y, ...rest]));
  }

  #key(event) {
    const step = event.shiftKey ? FAR_MM : STEP_MM;
    const names = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", "[": "anticlockwise", "]": "clockwise" };
    if (!names[event.key] || !this.#chosen) return;
    event.preventDefault();
    this.#nudge(names[event.key], step);
  }

  #nudge(way, step) {
    const zone = this.#chosen;
    if (!zone) return;
    const points = read(this.#input(zone));
    if (way.endsWith("clockwise")) {
      if (points[0].length !== 3) return;
      points[0][2] += way === "clockwise" ? STEP_DEG : -STEP_DEG;
      return this.#write(zone, points);
    }
    const [dx, dy] = { left: [-step, 0], right: [step, 0], up: [0, -step], down: [0, step] }[way];
    this.#write(zone, this.#moved(points, dx, dy));
  }

  #write(zone, points) {
    this.#input(zone).value = points.map((point) => point.map(tidy).join(" ")).join(", ");
    this.#draw(zone);
  }

  #draw(zone) {
    const points = read(this.#input(zone));
    if (points.flat().some((value) => !Number.isFinite(value))) return;
    if (zone.classList.contains("pile")) {
      const [[x, y, angle]] = points;
      zone.setAttribute("transform", `translate(${x} ${y}) rotate(${angle})`);
      zone.querySelector("text").setAttribute("transform", `rotate(${-angle})`);
      return;
    }
    zone.querySelector("polygon").setAttribute("points", points.map((point) => point.join(",")).join(" "));
    zone.querySelectorAll("circle").forEach((corner, k) => {
      if (!points[k]) return;
      corner.setAttribute("cx", points[k][0]);
      corner.setAttribute("cy", points[k][1]);
    });
  }
}
