/** A program in Node in which a player logs in, and a running service, whose address is in SERVICE_URL. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, Forged, Problem, Unauthenticated, Unreachable } from "../../../api-spec/clients/typescript/src/index.js";
import { login, logout } from "../../../api-spec/clients/typescript/src/node.js";
import { serving } from "./misbehaving.mjs";

const url = process.env.SERVICE_URL;

async function player() {
  const own = new Client(url);
  await own.register("Ada");
  return own;
}

/** What the browser of a player does at an address: the button is pressed, and it is sent back. Others call as well. */
const consent = (own, changed = {}) => async (address) => {
  const { searchParams } = new URL(address);
  const [client_id, redirect_uri, code_challenge, scope, state] =
    ["client_id", "redirect_uri", "code_challenge", "scope", "state"].map((name) => searchParams.get(name));
  assert.equal(searchParams.get("code_challenge_method"), "S256");
  const body = { client_id, redirect_uri, code_challenge, scopes: scope.split(" ") };
  const { code, issuer: iss } = await own.request("POST", "/tokens/authorize", { body });
  const back = (fields) => fetch(`${redirect_uri}?${new URLSearchParams(fields)}`);
  assert.equal((await back({ state: "another", code: "theirs", iss })).status, 404);
  assert.equal((await fetch(`${redirect_uri}/other?${new URLSearchParams({ state, code, iss })}`)).status, 404);
  const fields = Object.entries({ code, state, iss, ...changed }).filter(([, value]) => value !== null);
  const answer = await back(Object.fromEntries(fields));
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /may be closed/);
};

const collected = async (items) => { const found = []; for await (const item of items) found.push(item); return found; };

/** What the program has sent to the token endpoint. */
function counted(t, loses = 0) {
  const { fetch } = globalThis;
  const sent = [];
  t.mock.method(globalThis, "fetch", async (address, request) => {
    const answer = await fetch(address, request);
    if (!`${address}`.endsWith("/oauth/token")) return answer;
    if (sent.push(request.body) <= loses) throw new TypeError("lost");
    return answer;
  });
  return sent;
}

test("who logs in plays and logs out", async () => {
  const own = await player();
  const client = await login(url, { scope: "read seat", name: "Zoes.bot", show: consent(own), deadline: 5 });
  assert.equal((await client.me()).player, (await own.me()).player);
  const [token, ...others] = await collected(client.listTokens());
  assert.deepEqual([token.client, token.scopes, others], ["http://127.0.0.1/Zoes.bot", ["read", "seat"], []]);
  await client.openTable("ombre");
  await logout(client);
  await assert.rejects(client.me(), Unauthenticated);
  await logout(client);
  assert.deepEqual((await collected(own.listTokens())).map((each) => each.client), [null]);
  await logout(own);
  assert.equal((await own.me()).name, "Ada");
});

test("a request for a token is not sent twice, and another login begins", async (t) => {
  const own = await player();
  const sent = counted(t, 1);
  await assert.rejects(login(url, { show: consent(own) }), Unreachable);
  assert.equal(sent.length, 1);
  assert.equal((await (await login(url, { show: consent(own) })).me()).name, "Ada");
  assert.equal(sent.length, 2);
});

test("an answer of another issuer is forged, and no code is sent", async (t) => {
  const own = await player();
  const sent = counted(t);
  for (const changed of [{ iss: "https://other.example" }, { iss: null }, { iss: "", code: null, error: "access_denied" }]) {
    await assert.rejects(login(url, { show: consent(own, changed) }), Forged);
  }
  assert.deepEqual(sent, []);
});

test("who is not let in is not logged in", async () => {
  const own = await player();
  for (const [changed, code] of [
    [{ code: null, error: "access_denied" }, "access_denied"],
    [{ code: null }, "invalid_request"],
    [{ code: "codille_code_none" }, "invalid_grant"],
  ]) {
    await assert.rejects(login(url, { show: consent(own, changed) }), (error) => error instanceof Problem && error.code === code);
  }
});

test("a service that is another than it says is not asked", async () => {
  const show = () => assert.fail("shown");
  await assert.rejects(login(url.replace("127.0.0.1", "localhost"), { show }), Forged);
  const server = await serving((_, response) => response.writeHead(302, { location: `${url}/.well-known/oauth-authorization-server` }).end());
  await assert.rejects(login(server.url, { show }), Unreachable);
  await server.close();
  await assert.rejects(login(url, { show, name: "a/b" }), RangeError);
});

test("nothing listens any more once a login is aborted", async () => {
  let redirect = "";
  const aborting = new AbortController();
  const show = (address) => {
    redirect = new URL(address).searchParams.get("redirect_uri");
    setTimeout(() => aborting.abort(), 100);
  };
  await assert.rejects(login(url, { show, signal: aborting.signal }), { name: "AbortError" });
  assert.match(redirect, /^http:\/\/127\.0\.0\.1:\d+\/codille-client$/);
  await assert.rejects(fetch(redirect), TypeError);
});
