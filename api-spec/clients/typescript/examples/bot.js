// Plays any game: CODILLE_TOKEN=... node bot.js http://127.0.0.1:8000 TABLE

import { anyOf, Client } from "codille-client";

const [url = "", id = ""] = process.argv.slice(2);
const table = new Client(url, process.env.CODILLE_TOKEN).table(id);
await table.sit();
for await (const moment of table.follow()) {
  console.log(moment.version, moment.event?.type ?? moment.kind);
  if (moment.mine) await moment.act(anyOf(moment.offers).random());
}
