/** What happened, in a sentence. */

import { cardText, contractName, SUITS } from "./dom.js";

/** @param {string[]} cards */
const listed = (cards) => cards.map(cardText).join(" ");

/** @param {string | null} suit */
const trumps = (suit) => (suit ? `${SUITS[suit].name} ${SUITS[suit].sign}` : "no trumps");

/** @param {any} event @param {string} to */
const told = (event, to) => event.sealed[to]?.data;

/**
 * @typedef {(of: string, value: any) => string} Terms
 * By type: the sentence, from the event's public part, who is meant, the event, names by seat, and the game's terms.
 * @type {Record<string, (it: any, who: string, event: any, name: (seat: number) => string, term: Terms) => string>}
 */
const SENTENCES = {
  "table-opened": () => "The table is opened; the seeds of all deals are fixed.",
  "seat-taken": (it, who) => `${who} sits down${it.entropy ? ", with entropy of their own" : ""}.`,
  "seat-left": (it, who) => `${who} gets up.`,
  "game-started": (it, who, event, name) => {
    const drawn = it.draws.map((draw) => `${name(draw.seat)} draws ${cardText(draw.card)}`).join(", ");
    return `The game starts. ${drawn ? `${drawn}: ` : ""}${name(it.first_dealer)} deals first.`;
  },
  "cards-dealt": (it, who, event, name) => {
    const ante = it.lines.find((line) => line.seat !== null);
    return `Deal ${it.deal}: ${name(it.dealer)} deals${ante ? `, and puts ${Math.abs(ante.amount)} into the ${ante.with}` : ""}.`;
  },
  "bid-made": (it, who, event, name, term) =>
    `${who} ${it.self ? "says self to" : it.hold ? "holds" : "bids"} ${term("contract", it.contract)}` +
    `${it.shown?.length ? `, and shows ${listed(it.shown)}` : ""}.`,
  "bid-passed": (it, who) => `${who} passes.`,
  "bid-asked": (it, who, event, name, term) => `${who} asks for ${term("level", it.level)}.`,
  "bid-held": (it, who, event, name, term) => `${who} says yes to ${term("level", it.level)}.`,
  "deal-washed-out": () => "All have passed: nothing is played.",
  "deal-passed-out": () => "All have passed: nothing is played, and the pool stays.",
  "casco-forced": (it, who) => `All have passed: ${who} must play Casco.`,
  "contract-declared": (it, who, event, name, term) =>
    `${who} declares ${contractName(it, term)}` +
    `${it.trump ? `, ${trumps(it.trump)}` : ""}${it.bonus ? `, with ${term("bonus", it.bonus)}` : ""}` +
    `${it.called ? `, and calls ${cardText(it.called)}` : ""}.`,
  "talon-turned": (it) => `The talon shows ${cardText(it.card)}: ${trumps(it.trump)}.`,
  "casco-taken": (it, who, event) => {
    const own = told(event, `seat:${it.seat}`);
    return `${who} keeps ${own ? cardText(own.kept) : "a card"} and takes the talon.`;
  },
  "casco-laid": (it, who) => `${who} lays down ${listed(it.cards)}: ${it.trump ? trumps(it.trump) : "sans"}.`,
  "priority-offered": (it, who, event, name) => `${who} offers ${name(it.to)} to exchange first.`,
  "priority-answered": (it, who) => `${who} ${it.accepted ? "accepts" : "refuses"}.`,
  "exchange-yielded": (it, who, event, name) => `${who} lets ${name(it.to)} exchange first.`,
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
  "play-stopped": (it, who) => `${who} is content, and stops.`,
  "all-tricks-undertaken": (it, who) => `${who} leads on, and undertakes to win all tricks.`,
  "surrender-offered": (it, who) => `${who} offers to surrender.`,
  "surrender-answered": (it, who) => `${who} ${it.accepted ? "accepts" : "forbids it, and plays on as new Ombre"}.`,
  "table-talk": (it, who, event) => `${who}: “${told(event, "public")?.text ?? "…"}”`,
  "deal-scored": (it, who, event, name, term) =>
    `Deal ${it.deal} is over: ${term("outcome", it.outcome).toLowerCase()}` +
    `${it.estuches?.length ? `, with the estuches ${listed(it.estuches)}` : ""}.`,
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
 * @param {Terms} term
 * @returns {string}
 */
export function sentence(event, name, term) {
  const said = SENTENCES[event.type];
  const who = typeof event.public.seat === "number" ? name(event.public.seat) : "";
  return said ? said(event.public, who, event, name, term) : `${who} ${event.type.replaceAll("-", " ")}.`.trim();
}
