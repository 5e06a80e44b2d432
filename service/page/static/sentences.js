/** What happened, in a sentence. */

import { cardText, SUITS, titled } from "./dom.js";

/** @param {string[]} cards */
const listed = (cards) => cards.map(cardText).join(" ");

/** @param {string | null} suit */
const trumps = (suit) => (suit ? `${SUITS[suit].name} ${SUITS[suit].sign}` : "no trumps");

/** @param {any} event @param {string} to */
const told = (event, to) => event.sealed[to]?.data;

/** By type: the sentence, from the event's public part, who is meant, and the event. */
const SENTENCES = {
  "table-opened": () => "The table is opened; the seeds of all deals are fixed.",
  "seat-taken": (it, who) => `${who} sits down${it.entropy ? ", with entropy of their own" : ""}.`,
  "seat-left": (it, who) => `${who} gets up.`,
  "game-started": (it, who, event, name) => `The game starts. ${name(it.first_dealer)} deals first.`,
  "cards-dealt": (it, who, event, name) => `Deal ${it.deal}: ${name(it.dealer)} deals.`,
  "bid-made": (it, who) => `${who} ${it.self ? "says self to" : it.hold ? "holds" : "bids"} ${titled(it.contract)}.`,
  "bid-passed": (it, who) => `${who} passes.`,
  "bid-asked": (it, who) => `${who} asks for level ${it.level}.`,
  "bid-held": (it, who) => `${who} says yes to level ${it.level}.`,
  "casco-forced": (it, who) => `All have passed: ${who} must play Casco.`,
  "contract-declared": (it, who) =>
    `${who} declares ${titled(it.contract || it.game)}${it.trump ? `, ${trumps(it.trump)}` : ""}` +
    `${it.bonus ? `, with ${titled(it.bonus)}` : ""}${it.called ? `, and calls ${cardText(it.called)}` : ""}.`,
  "talon-turned": (it) => `The talon shows ${cardText(it.card)}: ${trumps(it.trump)}.`,
  "casco-taken": (it, who, event) => {
    const own = told(event, `seat:${it.seat}`);
    return `${who} keeps ${own ? cardText(own.kept) : "a card"} and takes the talon.`;
  },
  "casco-laid": (it, who) => `${who} lays down ${listed(it.cards)}: ${it.trump ? trumps(it.trump) : "sans"}.`,
  "priority-offered": (it, who, event, name) => `${who} offers ${name(it.to)} to exchange first.`,
  "priority-answered": (it, who) => `${who} ${it.accepted ? "accepts" : "refuses"}.`,
  "exchange-yielded": (it, who, event, name) => `${who} leaves the first exchange to ${name(it.to)}.`,
  "cards-exchanged": (it, who, event) => {
    const own = told(event, `seat:${it.seat}`);
    if (it.count === 0) return `${who} keeps all cards.`;
    const taken = it.taken?.length ? `, taking ${listed(it.taken)}` : "";
    const drawn = own?.drawn.length ? `, and draws ${listed(own.drawn.map((opening) => opening.card))}` : "";
    return own ? `${who} discards ${listed(own.discarded)}${taken}${drawn}.` : `${who} exchanges ${it.count}${taken}.`;
  },
  "hand-exposed": (it, who) => `${who}'s cards lie open.`,
  "card-played": (it, who) => `${who} plays ${cardText(it.card)}.`,
  "trick-won": (it, who) => `${who} wins trick ${it.trick}.`,
  "partner-shown": (it, who) => `${who} is the partner.`,
  "queen-shown": (it, who) => `All have passed: ${who} shows ${cardText(it.card)} and must declare.`,
  "deal-conceded": (it, who) => `${who} concedes.`,
  "deal-abandoned": (it, who) => `${who} abandons the deal.`,
  "play-stopped": (it, who) => `${who} stops.`,
  "all-tricks-undertaken": (it, who) => `${who} undertakes all tricks.`,
  "table-talk": (it, who, event) => `${who}: “${told(event, "public")?.text ?? "…"}”`,
  "deal-scored": (it) => `Deal ${it.deal} is over: ${it.outcome.replaceAll("-", " ")}.`,
  "game-finished": (it, who, event, name) =>
    `The game is over. ${it.winners.map(name).join(" and ")} ${it.winners.length > 1 ? "share the win" : "wins"}.`,
  "table-closed": () => "The table is closed.",
  "dispute-opened": (it, who, event) => `${who} disputes what was booked: “${told(event, "public")?.reason ?? "…"}”`,
  "dispute-ruled": (it, who, event) => `Dispute ${it.dispute} is ${it.ruling}: “${told(event, "public")?.text ?? "…"}”`,
  "text-erased": (it) => `The words of event ${it.version} were erased.`,
  "ledger-corrected": (it) => `The ledger is corrected for dispute ${it.dispute}.`,
};

/**
 * @param {any} event
 * @param {(seat: number) => string} name
 * @returns {string}
 */
export function sentence(event, name) {
  const said = SENTENCES[event.type];
  const who = typeof event.public.seat === "number" ? name(event.public.seat) : "";
  return said ? said(event.public, who, event, name) : `${who} ${event.type.replaceAll("-", " ")}.`.trim();
}
