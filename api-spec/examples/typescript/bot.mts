// A bot for any game: CODILLE_TOKEN=... node bot.mts http://127.0.0.1:8000/v1 TABLE
// Node runs it as it is from 22.18 on; with Node 20 take `npx tsx` in place of `node`.

import { setTimeout as sleep } from "node:timers/promises";

type Field =
  | { one_of: unknown[] }
  | { some_of: unknown[]; min: number; max: number }
  | { sets_of: { examples: unknown[] } }
  | { text: { min: number } };
type Offer = { type: string; fields: Record<string, Field> };
type View = { version: number; status: "open" | "playing" | "finished" | "closed"; you: number | null; to_act: number[] };
type Data = { type?: string; view: View; offers?: Offer[] };
type Frame = { id?: number; data: Data };

const [url, table] = process.argv.slice(2);
const common = { authorization: `Bearer ${process.env.CODILLE_TOKEN}`, "content-type": "application/json" };

/** A request was answered with an error. */
class Refused extends Error {
  readonly answer: Response;

  constructor(answer: Response) {
    super(`${answer.status} ${answer.url}`);
    this.answer = answer;
  }
}

/** The answer to a GET of a resource of the table, or to a POST of the body. */
async function send(path: string, headers: Record<string, string> = {}, body?: object): Promise<Response> {
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${url}/tables/${table}/${path}`, { ...request, headers: { ...common, ...headers } });
  if (!answer.ok) throw new Refused(answer);
  return answer;
}

function anyOf<Item>(items: Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!;
}

/** One of the values that a field of an offer takes. */
function value(field: Field): unknown {
  if ("text" in field) return "-".repeat(field.text.min);
  if ("sets_of" in field) return anyOf(field.sets_of.examples);
  if ("one_of" in field) return anyOf(field.one_of);
  const count = field.min + Math.floor(Math.random() * (field.max - field.min + 1));
  return [...field.some_of].sort(() => Math.random() - 0.5).slice(0, count);
}

/** Takes one of the offers, if it is the player's turn, or nobody's, as in games without turns. */
async function act({ view, offers = [] }: Data): Promise<void> {
  if (view.status !== "playing" || (view.to_act.length > 0 && !view.to_act.some((seat) => seat === view.you))) return;
  if (offers.length === 0) return; // They come where an act ends.
  const { type, fields } = anyOf(offers);
  const chosen = Object.entries(fields).map(([name, field]) => [name, value(field)]);
  try {
    await send("actions", { "if-match": `"${view.version}"` }, { type, ...Object.fromEntries(chosen) });
  } catch (error) {
    // Another was first, and the stream says what to do next.
    if (!(error instanceof Refused && error.answer.status === 412)) throw error;
  }
}

/** The frames of a stream, as they come. */
async function* frames(stream: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line) as Frame; // An empty one says that the stream is alive.
  }
}

/** Plays until the game is over. A stream that ends is followed by one that goes on after the last frame. */
async function play(): Promise<void> {
  const headers: Record<string, string> = { accept: "application/x-ndjson" };
  let last: Data | undefined;
  for (;;) {
    try {
      if (last) await act(last); // The connection may have been lost before this was done.
      const { body } = await send("events/stream?view=true&offers=true", headers);
      for await (const { id, data } of frames(body!)) {
        if (id === undefined) continue;
        headers["last-event-id"] = String(id);
        last = data;
        console.log(id, data.type ?? "snapshot");
        if (data.view.status === "finished" || data.view.status === "closed") return;
        await act(data);
      }
    } catch (error) {
      await sleep(1000 * pause(error));
    }
  }
}

/** After how many seconds to try again. Throws errors after which that is of no use. */
function pause(error: unknown): number {
  if (error instanceof TypeError && error.cause) return 1; // The connection was lost.
  if (!(error instanceof Refused && (error.answer.status === 429 || error.answer.status >= 500))) throw error;
  return Number(error.answer.headers.get("retry-after") ?? 1); // A proxy's own errors may have none.
}

/** Sits down. That is refused where the player sits at the table already. */
async function sit(): Promise<void> {
  for (;;) {
    try {
      await send("seats", {}, {});
      return;
    } catch (error) {
      if (error instanceof Refused && error.answer.status < 500) return;
      await sleep(1000 * pause(error));
    }
  }
}

await sit();
await play();
