/** What offers build, list, pick and admit. JSON on standard input and output. */

import { readFileSync } from "node:fs";

import { Offer, Words } from "../../../api-spec/clients/typescript/src/index.js";

const { offers, games } = JSON.parse(readFileSync(0, "utf8"));
const words = Object.fromEntries(Object.entries(games).map(([name, game]) => [name, new Words(game)]));
const answers = offers.map(({ game, offer, actions }) => {
  const made = new Offer(offer);
  return {
    picked: Array.from({ length: 4 }, () => made.random()),
    listed: [...made.choices(30)],
    admitted: actions.map((action) => made.admits(action)),
    built: actions.map(({ type, ...values }) => {
      try {
        return made.act(values);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return null;
      }
    }),
    described: made.describe(words[game]),
    plain: made.describe(),
  };
});
process.stdout.write(JSON.stringify(answers));
