import { Client, Words, type Schemas, type Moment, type Offer } from "codille-client";

const client = new Client("http://127.0.0.1:8000", null, { deadline: 5 });
const table = await client.openTable("ombre", { deals: 3, table: { talk: true } });
const moment: Moment | null = await table.myTurn();
const offers: Offer[] = moment?.offers ?? [];
const event: Schemas["Event"] | null | undefined = moment?.event;
const acted: Schemas["Acted"] = await table.act(offers[0]!.act({ card: "Ks" }), event?.version);
const total: number = (await table.view()).totals.reduce((one, other) => one + other, acted.version);
const said: string = String(new Words(await client.game("ombre")).event(event));
// @ts-expect-error a table has no such option
await client.openTable("ombre", { table: { colour: "red" } });
for await (const frame of client.notices()) if (frame.frame === "event") frame.data.notices satisfies Schemas["NoticeKind"][];
for await (const frame of client.lobby()) if (frame.frame === "event") frame.data satisfies Schemas["LobbyEvent"];
const scored: Schemas["ScoredDeal"] = await client.scoreDeal("ombre", { facts: {} });
for await (const token of client.listTokens({ limit: 5 })) token satisfies Schemas["Token"];
// @ts-expect-error a status is a word
client.tables({ status: 3, game: scored.outcome });
// @ts-expect-error no such method
await table.cheat(total, said);
