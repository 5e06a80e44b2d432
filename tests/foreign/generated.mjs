// A generated client plays a game with bots: the generator, the module that was made, URL.
import { createRequire } from "node:module";

const [generator, module, baseUrl] = process.argv.slice(1);
const made = createRequire(import.meta.url)(module);

/** The operations, each called with its parameters by name, as the clients of each generator have them. */
const operations = {
  "@hey-api/openapi-ts"() {
    let auth;
    const call = async (name, { table, body, ...query }) => {
      const { data, error } = await made[name]({ baseUrl, auth: () => auth, path: { table }, body, query });
      if (error) throw new Error(JSON.stringify(error));
      return data;
    };
    return { call, use: (token) => { auth = token; } };
  },
  "swagger-typescript-api"() {
    const api = new made.Api({
      baseUrl,
      baseApiParams: { secure: true },
      securityWorker: (token) => (token ? { headers: { Authorization: `Bearer ${token}` } } : {}),
    });
    const call = async (name, { table, body, ...query }) => {
      const group = Object.values(api).find((one) => one?.[name]);
      // What may be left out stands last, and the query before the body.
      const given = name === "takeSeat" ? [table, query, body] : [table, body ?? query];
      return (await group[name](...given.filter((one) => one !== undefined))).data;
    };
    return { call, use: (token) => api.setSecurityData(token) };
  },
  "openapi-generator"() {
    let accessToken = "";
    const configuration = new made.Configuration({ basePath: baseUrl, accessToken: async () => accessToken });
    const apis = Object.entries(made).filter(([name]) => name.endsWith("Api")).map(([, Api]) => new Api(configuration));
    const bodies = { registerPlayer: "registration", openTable: "tableRequest", takeSeat: "seatRequest", act: "action" };
    const call = (name, { body, ...rest }) => apis.find((api) => api[name])[name]({ ...rest, ...(body && { [bodies[name]]: body }) });
    return { call, use: (token) => { accessToken = token; } };
  },
};

const { call, use } = operations[generator]();
use((await call("registerPlayer", { body: { name: "Ada" } })).token);
const { table } = await call("openTable", { body: { game: "crocodile", bots: { 1: "random", 2: "random" } } });
let { status, version } = await call("takeSeat", { table, body: { seat: 0 } });
while (status === "playing") {
  // One of the generators writes all members in its own way.
  const { offers, to_act, toAct = to_act } = await call("getOffers", { table, after: version - 1, wait: 20 });
  if (toAct.includes(0)) {
    const { type, fields } = offers.find((offer) => !["concede", "talk"].includes(offer.type));
    const values = Object.entries(fields).map(([name, field]) => [name, (field.one_of ?? field.oneOf)?.[0] ?? (field.some_of ?? field.someOf)?.slice(0, field.min) ?? null]);
    await call("act", { table, body: { type, ...Object.fromEntries(values) } });
  }
  ({ status, version } = await call("getTable", { table, after: version, wait: 20 }));
}
console.log(JSON.stringify({ table, status, version }));
