/** Types that the modules share. They are for the compiler alone. */

import type { components } from "./generic.js";

/** The schemas of the interface's generic document, by name. A game's own document has the same names, narrower. */
export type Schemas = components["schemas"];

/** What differs from game to game, in the schemas of a game's own document. */
export type GameSchemas = Record<"Acted" | "Action" | "Event" | "TableRequest" | "View", any>;

/** An act: its type, and the fields that its offer has. */
export type Action = { type: string; [field: string]: any };

declare const offered: unique symbol;

/** An act that an offer has made, which a table takes whatever game its types are of. */
export type Offered = Action & { readonly [offered]: true };

/** A source of chance, such as `Math.random`: a number from 0 up to 1, without 1. */
export type Chance = () => number;

/** A field of an offer: `one_of`, `some_of`, `sets_of`, `text`, or a kind that is not known yet. */
export type Field = Record<string, any>;

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export type Parameter = string | number | boolean | null | undefined | readonly (string | number | boolean)[];

export interface Settings {
  /** For how many seconds a request is sent again, and a stream reopened, before they count as failed (60). */
  deadline?: number;
  /** After how many seconds without an answer a connection counts as lost (20). */
  answer?: number;
  /** After how many seconds without a byte a stream does (40). The service sends some every 15. */
  silence?: number;
  fetch?: typeof fetch;
}

export interface Sending {
  /** What is null or undefined is left out; a list is given item by item. */
  query?: Record<string, Parameter>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The idempotency key of a POST, in place of one of its own. */
  key?: string;
  /** The version at which the table must be. */
  version?: number;
  /** For how many seconds the service may wait before it answers. */
  wait?: number;
  signal?: AbortSignal;
}

/** A line of a stream. Kinds that are not known are passed on. */
export type Frame = { frame: string; id?: number; data: any };

export interface Streaming {
  query?: Record<string, Parameter>;
  /** The number after which the stream begins. */
  after?: number;
  signal?: AbortSignal;
  /** Called where no byte of the stream comes through; the stream ends then. */
  withheld?: () => unknown;
}

export interface Following {
  /** The version after which to begin, 0 for the start of the record; by default with a snapshot of now. */
  after?: number;
  /** Whether hashes, seals and opened cards are checked from the first event on, which throws Altered. */
  check?: boolean;
  /** Whether to yield what is no event too: who is connected, and what this version does not know. */
  all?: boolean;
  /** Whether to go on after the game is over, with disputes and corrections. */
  beyond?: boolean;
  signal?: AbortSignal;
}

export type ProblemDocument = Partial<Omit<Schemas["Problem"], "code">> & { code?: string };

/** What fills a hole of a sentence, with its text. */
export type Part = string | { kind: string; value: any; text: string };
