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
    const drawing = drawingIn(this, text, ":host { display: block; margin-top: 0.6rem } .paper { fill: none }");
    for (const label of drawing.querySelectorAll("[data-seat]")) named(label, name(Number(label.getAttribute("data-seat"))));
    const said = [...drawing.querySelectorAll("[data-seats]")].map((curve) => {
      const [seats = "", total = "", least = "", most = ""] = ["seats", "total", "least", "most"].map((of) => curve.getAttribute(`data-${of}`) ?? "");
      return say("scores.curve", { name: seats.split(" ").map((seat) => name(Number(seat))).join(", "), total, least, most });
    });
    for (const one of drawing.querySelectorAll("svg > title, svg > desc")) one.remove();
    drawing.removeAttribute("aria-labelledby");
    drawing.setAttribute("aria-label", [say("scores.heading"), ...said].join(" "));
    this.hidden = false;
  }
}

/**
 * Shows a drawing of the service in an element, with its own styles: the page's policy admits none in elements, and these
 * are taken out before they are one.
 * @param {HTMLElement} place
 * @param {string} text the drawing's file
 * @param {string} [more] styles of the page
 */
export function drawingIn(place, text, more = "") {
  const sheet = new CSSStyleSheet();
  const bare = text.replace(/<style>([^<]*)<\/style>/, (_, styles) => (sheet.replaceSync(`${styles} ${more}`), ""));
  const drawing = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(drawing);
  return drawing;
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
