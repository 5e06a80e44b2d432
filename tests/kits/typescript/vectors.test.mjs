/** What is checked by the published vectors: canonical JSON, hashes, seals, streams of numbers and packs. */

import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Altered } from "../../../api-spec/clients/typescript/src/problems.js";
import { hmac, sha256 } from "../../../api-spec/clients/typescript/src/sha256.js";
import { below, canonical, Chain, commitment, eventHash, packOf, rootFrom, shuffled, wordsOf } from "../../../api-spec/clients/typescript/src/verify.js";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../../api-spec/vectors/${name}.json`, import.meta.url)));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const stream = ({ seed, label, table, deal, entropies }, given = {}) =>
  wordsOf(bytes(seed), given.label ?? label, table, given.deal ?? deal, entropies.map((entropy) => bytes(entropy ?? "")));

test("digests are those of the platform, for any length", () => {
  for (let length = 0; length < 200; length += 1) {
    const [message, key] = [randomBytes(length), randomBytes(length % 65)];
    assert.equal(Buffer.from(sha256(message)).toString("hex"), createHash("sha256").update(message).digest("hex"));
    assert.equal(Buffer.from(hmac(key, message)).toString("hex"), createHmac("sha256", key).update(message).digest("hex"));
  }
  assert.deepEqual(sha256(bytes("00"), bytes("ff")), sha256(bytes("00ff")));
});

test("values, events and sections become the bytes and digests that are published", () => {
  for (const { value, canonical: expected } of vectors("canonical")) assert.equal(canonical(value), expected);
  for (const { previous, event } of vectors("event")) assert.equal(eventHash(event, previous), event.hash);
  for (const { section, commitment: expected } of vectors("seal")) assert.equal(commitment(section), expected);
});

test("numbers are drawn as published", () => {
  const one = vectors("stream");
  const words = stream(one);
  assert.deepEqual(one.words.map(() => words.next().value), one.words);
  for (const { bound, words: given, number, taken } of vectors("below")) {
    const left = [...given];
    assert.equal(below(bound, { next: () => ({ value: left.shift() }) }), number);
    assert.equal(given.length - left.length, taken);
  }
  for (const { seats, dealer, ...drawn } of vectors("dealer")) {
    assert.equal(below(seats, stream(drawn, { label: "codille-first-dealer", deal: 0 })), dealer);
  }
});

test("packs are those of the games, and drawn as published", () => {
  for (const { game, sorted, pack, ...drawn } of vectors("packs")) {
    if (game === "nuts" || game === "diloti") continue; // Several packs, and one drawn again, as records have them.
    assert.deepEqual(packOf(game), sorted, game);
    // Not every game deals its whole pack.
    const used = sorted.filter((card) => pack.includes(card));
    assert.deepEqual(shuffled(used, stream(drawn, { label: "codille-deal" })), pack, game);
  }
  for (const { cards, order, ...drawn } of vectors("renewal")) assert.deepEqual(shuffled([...cards], stream(drawn)), order);
});

test("a proof that is too short, too long or for no place leads to no root", () => {
  const [one, two] = [sha256(bytes("00")), sha256(bytes("01"))];
  const root = sha256(bytes("01"), one, two);
  assert.deepEqual(rootFrom(one, 0, 2, [two]), root);
  assert.deepEqual(rootFrom(two, 1, 2, [one]), root);
  for (const [index, size, path] of [[0, 2, []], [0, 2, [two, two]], [2, 2, [two]], [-1, 2, [two]], [NaN, 2, [two]], [0, 1, [two]]]) {
    assert.notDeepEqual(rootFrom(one, index, size, path), root);
  }
});

test("a chain of events is followed from its start or from what is known", () => {
  const events = vectors("game");
  const chain = new Chain();
  for (const event of events) chain.add({ ...event, more: false, unknown: 1 });
  assert.equal(chain.version, events.length);
  const later = new Chain(events[9]);
  for (const event of events.slice(10)) later.add(event);
  const dealt = events.findIndex(({ type }) => type === "cards-dealt");
  const edits = {
    "a public member": (event) => ({ ...event, public: { ...event.public, dealer: 9 } }),
    "a hash": (event) => ({ ...event, hash: "0".repeat(64) }),
    "a version": (event) => ({ ...event, version: event.version + 1 }),
    "a section": (event) => ({ ...event, sealed: { ...event.sealed, house: { ...event.sealed.house, data: {} } } }),
    "a card that was not committed to": (event) => {
      const [audience, section] = Object.entries(event.sealed).find(([, { data }]) => data.cards);
      const [first, ...rest] = section.data.cards;
      const made = { ...section, data: { ...section.data, cards: [{ ...first, card: rest[0].card }, ...rest] } };
      const sealed = { ...event, sealed: { [audience]: made }, seals: { ...event.seals, [audience]: commitment(made) } };
      return { ...sealed, hash: eventHash(sealed, events[dealt - 1].hash) };
    },
    "nonsense": () => ({ version: dealt + 1, type: "cards-dealt", sealed: null, public: null }),
  };
  for (const [what, edit] of Object.entries(edits)) {
    const altered = new Chain(events[dealt - 1]);
    assert.throws(() => altered.add(edit(events[dealt])), Altered, what);
  }
});
