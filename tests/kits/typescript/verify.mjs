/** Verifies files. JSON on standard input and output: paths and the log's keys, and a report of each. */

import { readFileSync } from "node:fs";

import { verify } from "../../../api-spec/clients/typescript/src/verify.js";

const reports = [];
for (const { path, keys } of JSON.parse(readFileSync(0, "utf8"))) {
  const { verdict, faults, unchecked, events, audience, game, lineEnds } = await verify(readFileSync(path), keys);
  reports.push({ verdict, faults, unchecked, events, audience, game, lineEnds });
}
process.stdout.write(JSON.stringify(reports));
