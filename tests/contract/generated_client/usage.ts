// Uses of the types that openapi-typescript makes of the OpenAPI document. They are checked, and never run: what does
// not type-check here would not with a developer either.

import type { components, paths } from "./codille.js";

type Schemas = components["schemas"];

/** An answer's body of an operation. */
type Body<Path extends keyof paths, Method extends keyof paths[Path], Status extends number> =
  paths[Path][Method] extends { responses: Record<Status, { content: { "application/json": infer Content } }> }
    ? Content
    : never;

type Offers = Body<"/v1/tables/{table}/offers", "get", 200>;

export class Service {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async get<Content>(path: string): Promise<Content> {
    const answer = await fetch(this.url + path, { headers: { authorization: `Bearer ${this.token}` } });
    if (!answer.ok) throw refused((await answer.json()) as Schemas["Problem"]);
    return (await answer.json()) as Content;
  }

  async act(table: string, action: Schemas["Action"]): Promise<Schemas["Acted"]> {
    const answer = await fetch(`${this.url}/v1/tables/${table}/actions`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      body: JSON.stringify(action),
    });
    if (!answer.ok) throw refused((await answer.json()) as Schemas["Problem"]);
    return (await answer.json()) as Schemas["Acted"];
  }

  offers(table: string): Promise<Offers> {
    return this.get<Offers>(`/v1/tables/${table}/offers`);
  }
}

/** A problem's code is one of those that there are. */
function refused(problem: Schemas["Problem"]): Error {
  const again: Schemas["Problem"]["code"][] = ["not-your-turn", "lost-race", "precondition-failed"];
  return new Error(`${again.includes(problem.code) ? "read the offers again" : problem.title}: ${problem.detail}`);
}

/** An action needs the fields of its type, and takes no others. */
export const ACTIONS: Schemas["CrocodileAction"][] = [
  { type: "bid", contract: "tournee" },
  { type: "declare", contract: "tournee", trump: "h", bonus: null },
  { type: "exchange", discard: ["7h", "8h"] },
  { type: "play", card: "Ks" },
];

// @ts-expect-error: no card is named so.
export const NO_CARD: Schemas["CrocodileAction"] = { type: "play", card: 7 };
// @ts-expect-error: the type has no such field.
export const NO_FIELD: Schemas["CrocodileAction"] = { type: "concede", card: "Ks" };
// @ts-expect-error: no action has this type.
export const NO_ACTION: Schemas["CrocodileAction"] = { type: "peek" };

/** What a field of an offer admits is told apart by its members. */
export function firstOf(field: Schemas["OfferedField"]): unknown {
  if ("text" in field) return "a".repeat(field.text.min);
  if ("sets_of" in field) return field.sets_of.examples[0];
  if ("some_of" in field) return field.some_of.slice(0, field.min);
  return field.one_of[0];
}

/** Events are told apart by their types, and say what is public of them. */
export function told(event: Schemas["CrocodileEvent"] | Schemas["TableEvent"]): string {
  switch (event.type) {
    case "seat-taken":
      return `${event.public.player} sits at ${event.public.seat}`;
    case "card-played":
      return `${event.public.seat} plays ${event.public.card}`;
    case "contract-declared":
      return `${event.public.contract}, ${event.public.trump ?? "no trumps"}`;
    case "deal-scored":
      return event.public.lines.map((line) => `${line.account}: ${line.amount}`).join(", ");
    default:
      return event.type;
  }
}

/** Views are told apart by their games. */
export function trumps(view: Schemas["View"]): string | null {
  switch (view.game) {
    case "crocodile":
      return view.contract?.trump ?? null;
    case "king":
      return view.trumps?.trump ?? null;
    default:
      return null;
  }
}

/** A question why an act is not offered: its type, and its fields. */
type Question = NonNullable<paths["/v1/tables/{table}/offers"]["get"]["parameters"]["query"]>;
export const WHY: Question = { why: "play", fields: { card: "Ks" } };

/** Frames of a stream are told apart by their kind. */
export function follow(line: string): string {
  const frame = JSON.parse(line) as Schemas["TableFrame"];
  switch (frame.frame) {
    case "snapshot":
      return `${frame.data.view.game} at version ${frame.id}`;
    case "event":
      return `${frame.id}: ${frame.data.type}`;
    case "presence":
      return `${frame.data.seats.filter((seat) => seat.connected).length} are connected`;
    case "dropped":
      return `${frame.data.reason}, again after ${frame.data.retry_ms} ms`;
  }
}

/** Requests are told apart by their games too, and options are those of the game. */
export const TABLES: Schemas["TableRequest"][] = [
  { game: "crocodile", deals: 3 },
  { game: "king", table: { visibility: "unlisted", clock: { seconds: 30 } } },
];
