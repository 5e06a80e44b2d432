/** Bars and ranges in SVG, a row for each of some things. */

import { drawn } from "./dom.js";

/** So narrow that its texts can be read on a phone. */
const WIDTH = 360;
const [NAME, BAR, APART, BELOW] = [16, 12, 12, 14];

/**
 * Rows one under another: each has a name, a text at its end, and what is drawn below them.
 * @param {{name: string, text: string}[]} rows
 * @param {number} height the height of what is drawn in a row
 * @param {string} description what it shows, for who does not see it
 * @param {(row: number, y: number) => Node[]} draw draws a row, from `y` down
 */
function chart(rows, height, description, draw) {
  const whole = NAME + height + BELOW;
  return drawn(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${rows.length * whole}`, role: "img", "aria-label": description },
    ...rows.flatMap(({ name, text }, row) => [
      drawn("text", { x: 0, y: row * whole + 12 }, name),
      drawn("text", { class: "figure", x: WIDTH, y: row * whole + 12, "text-anchor": "end" }, text),
      ...draw(row, row * whole + NAME),
    ]),
  );
}

/**
 * A bar for each row, in parts one after another.
 * @param {{name: string, text: string, parts: {value: number, kind: string}[]}[]} rows `kind` is the class of a part
 * @param {string} description
 */
export function bars(rows, description) {
  const most = Math.max(1, ...rows.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  return chart(rows, BAR, description, (row, y) => {
    let x = 0;
    return (rows[row]?.parts ?? []).map(({ value, kind }) => {
      const width = (WIDTH * value) / most;
      x += width;
      return drawn("rect", { class: kind, x: (x - width).toFixed(1), y, width: width.toFixed(1), height: BAR });
    });
  });
}

/** Results by their mean and their standard deviation; null without any. @typedef {{mean: number, spread: number} | null} Range */

/**
 * For each row the mean as a dot and the spread to both sides of it, one under another for each of its ranges.
 * @param {{name: string, text: string, ranges: Range[]}[]} rows
 * @param {string} description
 */
export function ranges(rows, description) {
  const all = rows.flatMap(({ ranges: own }) => own.flatMap((range) => (range ? [range.mean - range.spread, range.mean + range.spread] : [])));
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const x = (/** @type {number} */ value) => (6 + ((WIDTH - 12) * (value - least)) / Math.max(most - least, 1)).toFixed(1);
  const height = APART * Math.max(1, ...rows.map(({ ranges: own }) => own.length));
  return chart(rows, height, description, (row, y) => [
    drawn("line", { class: "zero", x1: x(0), x2: x(0), y1: y, y2: y + height }),
    ...(rows[row]?.ranges ?? []).flatMap((range, number) => {
      const at = y + APART * (number + 0.5);
      if (!range) return [];
      return [
        drawn("line", { class: `range-${number}`, x1: x(range.mean - range.spread), x2: x(range.mean + range.spread), y1: at, y2: at }),
        drawn("circle", { class: `range-${number}`, cx: x(range.mean), cy: at, r: 4.5 }),
      ];
    }),
  ]);
}
