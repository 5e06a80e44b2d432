/** Plots in SVG. */

import { drawn } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 240, 64, 12, 16, 32];

/** The greatest step of 1, 2 or 5 with zeros that leaves at most four lines. @param {number} range */
function stepOf(range) {
  const rough = Math.max(range / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
}

/**
 * A line through values, of which the first is 0.
 * @param {{value: number, label: string}[]} points
 * @param {string} description what it shows, for who does not see it
 * @param {(value: number) => string} written
 */
export function plot(points, description, written) {
  const values = [0, ...points.map(({ value }) => value)];
  const step = stepOf(Math.max(...values) - Math.min(...values));
  const least = Math.floor(Math.min(...values) / step) * step;
  const most = Math.max(Math.ceil(Math.max(...values) / step) * step, least + step);
  const x = (/** @type {number} */ index) => LEFT + ((WIDTH - LEFT - RIGHT) * index) / Math.max(values.length - 1, 1);
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (most - value)) / (most - least);
  const rows = Array.from({ length: Math.round((most - least) / step) + 1 }, (_, row) => least + row * step);
  const path = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const ends = [points[0]?.label ?? "", points.at(-1)?.label ?? ""];
  return drawn(
    "svg",
    { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": description },
    ...rows.flatMap((value) => [
      drawn("line", { class: value === 0 ? "grid zero" : "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      drawn("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, written(value)),
    ]),
    drawn("polyline", { class: "line", points: path }),
    drawn("circle", { cx: x(values.length - 1), cy: y(values.at(-1) ?? 0), r: 4 }),
    drawn("text", { x: LEFT, y: HEIGHT - 8 }, ends[0]),
    ...(points.length > 1 ? [drawn("text", { x: WIDTH - RIGHT, y: HEIGHT - 8, "text-anchor": "end" }, ends[1])] : []),
  );
}
