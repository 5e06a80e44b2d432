// A client of oauth4webapi: it is given the service, the client's id and a player's token; another reads the address that
// it prints and types where the browser was sent. Prints the player as the client sees it, the scopes, and its end.
import { createInterface } from "node:readline/promises";
import * as oauth from "oauth4webapi";

const [service, client_id] = process.argv.slice(1);
const issuer = new URL(service);
const local = { [oauth.allowInsecureRequests]: true };
const client = { client_id };

const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...local });
const server = await oauth.processDiscoveryResponse(issuer, found);
const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
const query = new URLSearchParams({
  client_id, redirect_uri: client_id, response_type: "code", scope: "read seat", state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
});
console.log(`${server.authorization_endpoint}?${query}`);

const typed = createInterface({ input: process.stdin });
const [back] = await new Promise((resolve) => typed.once("line", (line) => resolve([line])));
typed.close();
const refused = [];
for (const wrong of [["iss", "https://other.example"], ["state", "another"]]) {
  const address = new URL(back);
  address.searchParams.set(...wrong);
  try {
    oauth.validateAuthResponse(server, client, address, state);
  } catch (error) {
    refused.push(error.code);
  }
}
const answer = oauth.validateAuthResponse(server, client, new URL(back), state);
const exchanged = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answer, client_id, verifier, local);
const token = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
const me = new URL("/v1/players/me", issuer);
const { name } = await (await oauth.protectedResourceRequest(token.access_token, "GET", me, undefined, undefined, local)).json();
await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), token.access_token, local));
const ended = await oauth.protectedResourceRequest(token.access_token, "GET", me, undefined, undefined, local).catch((error) => error);
console.log(JSON.stringify({ name, scope: token.scope, refused, status: ended.status, challenge: ended.cause?.[0]?.parameters?.error }));
