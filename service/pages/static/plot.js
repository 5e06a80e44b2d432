/** Plots in SVG. */

import { drawn } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 240, 64, 12, 16, 32];

/** The greatest step of 1, 2 or 5 with zeros that leaves at most four lines. @param {number} range */
function stepOf(range) {
  const rough = Math.max(range / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
}

/** The room of a line's name, how far names stay from each other, and how many letters fit. */
const [NAME, APART, MOST_LETTERS] = [132, 22, 9];

/**
 * Lines through values, each of which begins with 0 or with `begin`. Several have names, at their ends.
 * @param {{name?: string, values: number[]}[]} lines
 * @param {[string, string]} ends the labels of the first values and of the last ones
 * @param {string} description what it shows, for who does not see it
 * @param {(value: number) => string} written
 * @param {number[]} [begin] where each line begins
 */
export function plot(lines, ends, description, written, begin = [0]) {
  const all = lines.flatMap(({ values }) => [0, ...values]);
  const count = lines[0]?.values.length ?? 0;
  const last = Math.max(begin.length + count - 1, 1);
  const right = lines.length > 1 ? WIDTH - NAME : WIDTH - RIGHT;
  const step = stepOf(Math.max(...all) - Math.min(...all));
  const least = Math.floor(Math.min(...all) / step) * step;
  const most = Math.max(Math.ceil(Math.max(...all) / step) * step, least + step);
  const x = (/** @type {number} */ index) => LEFT + ((right - LEFT) * index) / last;
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (most - value)) / (most - least);
  const rows = Array.from({ length: Math.round((most - least) / step) + 1 }, (_, row) => least + row * step);
  const path = (/** @type {number[]} */ values) => [...begin, ...values].map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  // From the highest line down, no name covers another.
  let above = -APART;
  const named = lines
    .map(({ name = "", values }) => ({ name, last: y(values.at(-1) ?? 0) }))
    .sort((one, other) => one.last - other.last)
    .map(({ last, ...line }) => ({ ...line, last, at: (above = Math.max(last, above + APART)) }));
  const lift = Math.max(0, above - (HEIGHT - BOTTOM));
  return drawn(
    "svg",
    { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": description },
    ...rows.flatMap((value) => [
      drawn("line", { class: value === 0 ? "grid zero" : "grid", x1: LEFT, x2: right, y1: y(value), y2: y(value) }),
      drawn("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, written(value)),
    ]),
    ...lines.map(({ values }, number) => drawn("polyline", { class: `line line-${number}`, points: path(values) })),
    ...named.flatMap(({ name, last, at }) => [
      drawn("circle", { cx: right, cy: last, r: 4 }),
      ...(name ? [drawn("text", { x: right + 10, y: at - lift + 5 }, name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name)] : []),
    ]),
    drawn("text", { x: LEFT, y: HEIGHT - 8 }, ends[0]),
    ...(count > 1 ? [drawn("text", { x: right, y: HEIGHT - 8, "text-anchor": "end" }, ends[1])] : []),
  );
}
