/** For receivers of webhooks: whether a message comes from the service, and just now. */

import { Forged } from "./problems.js";
import { concat, hmac, sha256 } from "./sha256.js";

/** So many seconds a message may be old, or early by the receiver's clock. */
const TOLERANCE_S = 300;

/** @param {string} text */
const bytesOf = (text) => new TextEncoder().encode(text);

/** Whether both are the same, found out in a time that says nothing of them. @param {string} one @param {string} other */
function isSame(one, other) {
  let differs = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) differs |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differs === 0;
}

/** The key of a secret. @param {string} secret */
function keyOf(secret) {
  try {
    const key = Uint8Array.from(atob(secret.trim().replace(/^whsec_/, "")), (sign) => sign.charCodeAt(0));
    return key.length > 64 ? sha256(key) : key;
  } catch (cause) {
    throw new RangeError("a secret is whsec_ and base64", { cause });
  }
}

/**
 * The notice that a message brings, whose body is given as it was received, with the secret of the webhook. The same
 * message may come again, with the same `webhook-id`.
 * @param {string} secret @param {Headers | Record<string, string | string[] | undefined>} headers
 * @param {Uint8Array | string} body
 * @returns {import("./types.js").Schemas["NoticeBody"]} Throws Forged if no signature is that of the secret over this
 *   body, or if the message is too old, and RangeError if the secret is none.
 */
export function verifyWebhook(secret, headers, body) {
  const given = new Map((headers instanceof Headers ? [...headers] : Object.entries(headers)).map(([name, value]) => [name.toLowerCase(), `${value}`]));
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => given.get(`webhook-${name}`));
  if (!id || !signatures || !/^[0-9]+$/.test(timestamp ?? "")) {
    throw new Forged("webhook-id, webhook-timestamp or webhook-signature is missing or malformed");
  }
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) {
    throw new Forged(`webhook-timestamp is more than ${TOLERANCE_S} s from now`);
  }
  const content = typeof body === "string" ? bytesOf(body) : body;
  const signed = concat(bytesOf(`${id}.${timestamp}.`), content);
  const due = `v1,${btoa(String.fromCharCode(...hmac(keyOf(secret), signed)))}`;
  if (!signatures.split(" ").some((one) => isSame(due, one))) {
    throw new Forged("no webhook-signature is that of the secret over the body");
  }
  return JSON.parse(new TextDecoder().decode(content));
}
