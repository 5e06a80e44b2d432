/** Says events, ledger lines, views and values of a game in its words. JSON on standard input and output. */

import { readFileSync } from "node:fs";

import { Words } from "../../../api-spec/clients/typescript/src/index.js";

const said = JSON.parse(readFileSync(0, "utf8")).map(({ game, events, lines, asked, acts }) => {
  const words = new Words(game, (seat) => `<seat ${seat}>`);
  return {
    events: events.map((event) => String(words.event(event))),
    parts: events.map((event) => words.event(event).parts),
    lines: lines.map((line) => String(words.line(line))),
    prompts: asked.map(([view, offers]) => `${words.prompt(view, offers)}`),
    sending: acts.map((act) => `${words.sending(act)}`),
    acts: acts.map((act) => words.act(act)),
  };
});
process.stdout.write(JSON.stringify(said));
