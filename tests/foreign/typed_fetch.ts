// openapi-fetch plays a game with bots, under the types that openapi-typescript has made: URL.
import createClient from "openapi-fetch";
import type { components, paths } from "./codille.js";

declare const process: { argv: string[] };

const baseUrl = process.argv[2]!;
const anybody = createClient<paths>({ baseUrl });
const registered = await anybody.POST("/v1/players", { body: { name: "Ada" } });
const headers = { Authorization: `Bearer ${said(registered).token}` };
const { GET, POST } = createClient<paths>({ baseUrl, headers });

/** What is answered, if it is no refusal. */
function said<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const { table } = said(await POST("/v1/tables", { body: { game: "crocodile", bots: { "1": "random", "2": "random" } } }));
const path = { table };
let view: components["schemas"]["View"] = said(await POST("/v1/tables/{table}/seats", { params: { path }, body: { seat: 0 } }));
while (view.status === "playing") {
  const query = { after: view.version - 1, wait: 20 };
  const { offers, to_act: toAct } = said(await GET("/v1/tables/{table}/offers", { params: { path, query } }));
  const offer = offers.find(({ type }) => type !== "concede" && type !== "talk");
  if (toAct.includes(0) && offer) {
    const values = Object.entries(offer.fields).map(([name, field]) => [
      name, "one_of" in field ? field.one_of[0] : "some_of" in field ? field.some_of.slice(0, field.min) : null,
    ]);
    const body: components["schemas"]["Action"] = { type: offer.type, ...Object.fromEntries(values) };
    said(await POST("/v1/tables/{table}/actions", { params: { path }, body }));
  }
  view = said(await GET("/v1/tables/{table}", { params: { path, query: { after: view.version, wait: 20 } } }));
}
console.log(JSON.stringify({ table, status: view.status, version: view.version }));
