import { Client } from "codille-client";
import type { components } from "./khanhoo.js";

const client = new Client<components["schemas"]>("http://127.0.0.1:8000");
for await (const { view } of client.table("…").follow()) console.log(view.seats.map((seat) => seat.hand.known));

const table = await client.openTable("khanhoo", { options: { players: 2 } });
await table.act({ type: "discard", card: "9h.1" });
// @ts-expect-error no card of the pack
await table.act({ type: "discard", card: "Ks" });
// @ts-expect-error no act of this game
await table.act({ type: "bid", contract: "solo" });
for await (const turn of client.turns()) {
  const event: components["schemas"]["Event"] | null | undefined = turn.event;
  await turn.act(turn.offers[0]!.act({ card: turn.view.seats[0]!.hand.known[0] }));
  await turn.act({ type: "discard", card: "9h.1" });
  // @ts-expect-error no card of the pack
  await turn.act({ type: "discard", card: "Ks" });
  // @ts-expect-error no such field
  console.log(turn.view.bids, event);
}
