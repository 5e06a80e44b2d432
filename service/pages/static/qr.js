/** Codes that a camera reads. They are made here, so what they say goes nowhere. */

import { drawn } from "./dom.js";
import { generate } from "./vendored/lean-qr.js";

/** The white modules around a code. */
const QUIET = 4;

/** A text as a code, black on white in every scheme. @param {string} text @param {string} description what it is, for who does not see it */
export function qr(text, description) {
  const code = generate(text);
  const side = code.size + 2 * QUIET;
  const places = Array.from({ length: code.size }, (_, place) => place);
  const modules = places.flatMap((y) => places.filter((x) => code.get(x, y)).map((x) => `M${x + QUIET} ${y + QUIET}h1v1h-1z`));
  return drawn(
    "svg",
    { class: "qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": description, "shape-rendering": "crispEdges" },
    drawn("rect", { width: side, height: side, fill: "#fff" }),
    drawn("path", { d: modules.join(""), fill: "#000" }),
  );
}
