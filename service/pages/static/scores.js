/** The running scores of a table, as the service draws them, with the players' names. */

import { get } from "./api.js";
import { say } from "./say.js";

/** A plot that is shown once something is booked. Its styles are its own, as in the file. */
export class RunningScores extends HTMLElement {
  constructor() {
    super();
    this.hidden = true;
    /** What is drawn, so that the same is not asked for again. */
    this.drawn = "";
  }

  /**
   * Shows the scores; keeps those shown where new ones can't be had.
   * @param {string} table
   * @param {any[]} lines the booked lines
   * @param {(seat: number) => string} name
   */
  async show(table, lines, name) {
    const names = [...new Set(lines.map(({ seat }) => seat))].filter((seat) => seat !== null).map(name);
    const wanted = JSON.stringify([lines.length, names]);
    if (!names.length || wanted === this.drawn) return;
    const before = this.drawn;
    this.drawn = wanted;
    try {
      const text = new TextDecoder().decode(await get(`/tables/${table}/scores.svg`));
      if (this.drawn === wanted) this.draw(text, name);
    } catch {
      if (this.drawn === wanted) this.drawn = before;
    }
  }

  /** @param {string} text @param {(seat: number) => string} name */
  draw(text, name) {
    const sheet = new CSSStyleSheet();
    // The page's policy admits no styles in elements, and these are taken out before they are one.
    const bare = text.replace(/<style>([^<]*)<\/style>/, (_, styles) => (sheet.replaceSync(`${styles} :host { display: block; margin-top: 0.6rem } .paper { fill: none }`), ""));
    const drawing = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
    for (const label of drawing.querySelectorAll("[data-seat]")) named(label, name(Number(label.getAttribute("data-seat"))));
    const said = [...drawing.querySelectorAll("[data-seats]")].map((curve) => {
      const [seats = "", total = "", least = "", most = ""] = ["seats", "total", "least", "most"].map((of) => curve.getAttribute(`data-${of}`) ?? "");
      return say("scores.curve", { name: seats.split(" ").map((seat) => name(Number(seat))).join(", "), total, least, most });
    });
    for (const one of drawing.querySelectorAll("svg > title, svg > desc")) one.remove();
    drawing.removeAttribute("aria-labelledby");
    drawing.setAttribute("aria-label", [say("scores.heading"), ...said].join(" "));
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(drawing);
    this.hidden = false;
  }
}

/** Writes a name in the place of a label, cut where it is too long for it. @param {Element} label @param {string} name */
function named(label, name) {
  const most = Number(label.getAttribute("data-most"));
  const letters = [...name];
  label.textContent = letters.length > most ? `${letters.slice(0, Math.max(1, most - 1)).join("")}…` : name;
  if (letters.length <= most) return;
  const whole = label.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "title");
  whole.textContent = name;
  label.append(whole);
}

customElements.define("running-scores", RunningScores);
