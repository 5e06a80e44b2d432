/** Requests and streams, which come through or say why not. */

import { Problem, problemOf, Unreachable } from "./problems.js";

/** @typedef {import("./types.js").Sending} Sending @typedef {import("./types.js").Frame} Frame */

/** Statuses after which to come again: the service's, or those of a proxy before it. */
const AGAIN = new Set([429, 502, 503, 504]);
const REDIRECTING = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;
const METHODS = ["GET", "POST", "PATCH", "DELETE"];

/** No byte of a stream came, though its connection stands: something on the way keeps it back. */
class Withheld extends Error {}

/** This number of random bytes, in hex. @param {number} length */
export function randomHex(length) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Seconds by a clock that nobody sets. */
const now = () => performance.now() / 1000;

/**
 * The seconds before another attempt: those asked for and a little more, or ever more.
 * @param {number} attempt @param {number} [asked]
 */
const pauseOf = (attempt, asked) => (asked ?? Math.min(2, 0.1 * 2 ** attempt)) + Math.random() / 5;

/** @param {number} seconds @param {AbortSignal} [signal] @returns {Promise<void>} Throws the signal's reason. */
async function pause(seconds, signal) {
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve(undefined)), { once: true });
  });
  signal?.throwIfAborted();
}

export class Transport {
  /** @param {string} url @param {string | null} token @param {import("./types.js").Settings} settings */
  constructor(url, token, { deadline = 60, answer = 20, silence = 40, fetch = globalThis.fetch }) {
    this.base = `${url.replace(/(\/v1)?\/*$/, "")}/v1`;
    // A file that has been carried may begin with a byte order mark, and end with CR and LF.
    this.token = token && token.trim();
    this.deadline = deadline;
    this.answer = answer;
    this.silence = silence;
    this.fetch = fetch;
  }

  /**
   * The whole answer to a request, which is sent again after a lost connection, and when that is asked for. A POST has
   * the same idempotency key each time, so that it is done once. Throws Problem and Unreachable.
   * @param {string} method @param {string} path @param {Sending} sending
   */
  async send(method, path, { query, body, headers = {}, key = randomHex(16), version, wait = 0, signal, ...unknown }) {
    if (!METHODS.includes(method)) throw new RangeError(`the method is ${method}, and must be one of ${METHODS.join(", ")}`);
    if (typeof path !== "string") throw new TypeError(`the path is ${path}, and must be a text`);
    const [surplus] = Object.keys(unknown);
    if (surplus) throw new TypeError(`a request has no ${surplus}; it has query, body, headers, key, version, wait, signal`);
    /** @type {Record<string, string>} */
    const sent = { accept: "application/json, */*;q=0.1", ...headers };
    if (body !== undefined) sent["content-type"] = "application/json";
    if (method === "POST") sent["idempotency-key"] = key;
    if (version !== undefined) sent["if-match"] = `"${version}"`;
    const request = { method, headers: sent, body: body === undefined ? undefined : JSON.stringify(body) };
    const ends = now() + this.deadline + wait;
    for (let attempt = 0, lost = false; ; attempt += 1) {
      let failure;
      try {
        const limit = AbortSignal.timeout(1000 * (this.answer + wait));
        const until = signal ? AbortSignal.any([signal, limit]) : limit;
        const answer = await this.#fetch(path, query, { ...request, signal: until });
        // An answer that is cut off throws here, or is no JSON.
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const text = new TextDecoder().decode(bytes);
        if (answer.ok) return { bytes, value: readValue(answer, text) };
        failure = problemOf(answer.status, text, answer.headers);
        failure.repeated = lost;
        if (!AGAIN.has(answer.status)) throw failure;
      } catch (error) {
        if (error instanceof Problem || signal?.aborted) throw error;
        failure = new Unreachable(`${method} ${path}: no answer`, { cause: error });
        lost = true;
      }
      const seconds = pauseOf(attempt, failure instanceof Problem ? failure.retryAfter : undefined);
      if (now() + seconds > ends) throw failure;
      await pause(seconds, signal);
    }
  }

  /**
   * The frames of a stream, each event once. It is opened again after its last `id` when the connection is lost.
   * @param {string} path @param {import("./types.js").Streaming} streaming
   * @returns {AsyncGenerator<Frame>} Throws Problem and Unreachable.
   */
  async *stream(path, { query, after: last, signal, withheld }) {
    for (let attempt = 0, heard = now(); ; attempt += 1) {
      /** @type {Problem | Unreachable} */
      let failure = new Unreachable(`${path}: no stream`);
      let asked;
      try {
        /** @type {Record<string, string>} */
        const headers = last === undefined ? {} : { "last-event-id": `${last}` };
        for await (const frame of this.#lines(path, query, { headers }, signal)) {
          if (frame?.frame === "dropped") asked = frame.data.retry_ms / 1000;
          else if (frame && !(frame.frame === "event" && Number(frame.id) <= Number(last))) {
            last = frame.id ?? last;
            if (frame.frame !== "ping") yield frame;
          }
          [heard, attempt] = [now(), 0];
        }
      } catch (error) {
        if (signal?.aborted || (error instanceof Problem && !AGAIN.has(error.status))) throw error;
        if (error instanceof Withheld && withheld) return void withheld();
        failure.cause = error;
        if (error instanceof Problem) [failure, asked] = [error, error.retryAfter];
      }
      const seconds = pauseOf(attempt, asked);
      if (now() + seconds > heard + this.deadline) throw failure;
      await pause(seconds, signal);
    }
  }

  /**
   * The lines of JSON with which a file is answered. Until the first has come it is sent again as requests are.
   * @param {string} path @param {Sending["query"]} query
   * @param {Blob | Uint8Array<ArrayBuffer> | string} body @param {string} type its media type
   * @param {AbortSignal} [signal] @returns {AsyncGenerator<Frame>} Throws Problem and Unreachable.
   */
  async *answers(path, query, body, type, signal) {
    const ends = now() + this.deadline;
    for (let attempt = 0, begun = false; ; attempt += 1) {
      let failure;
      try {
        for await (const line of this.#lines(path, query, { method: "POST", headers: { "content-type": type }, body }, signal)) {
          begun = true;
          if (line) yield line;
        }
        return;
      } catch (error) {
        if (signal?.aborted || (error instanceof Problem && !AGAIN.has(error.status))) throw error;
        failure = error instanceof Problem ? error : new Unreachable(`POST ${path}: the answer is cut off`, { cause: error });
      }
      const seconds = pauseOf(attempt, failure instanceof Problem ? failure.retryAfter : undefined);
      if (begun || now() + seconds > ends) throw failure;
      await pause(seconds, signal);
    }
  }

  /**
   * The lines of one answer, and undefined for each empty one.
   * @param {string} path @param {Sending["query"]} query @param {RequestInit} request @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Frame | undefined>} Throws Problem, and what a lost connection throws.
   */
  async *#lines(path, query, request, signal) {
    const closing = new AbortController();
    const stop = () => closing.abort(signal?.reason);
    signal?.addEventListener("abort", stop);
    let begun = false;
    /** @template T @param {Promise<T>} coming @returns {Promise<T>} Throws where it does not come for too long. */
    const timed = async (coming) => {
      const error = begun ? new Error("the stream is silent") : new Withheld("the stream does not begin");
      const timer = setTimeout(() => closing.abort(error), 1000 * (begun ? this.silence : this.answer));
      return coming.finally(() => clearTimeout(timer));
    };
    try {
      const headers = { accept: "application/x-ndjson", ...request.headers };
      const answer = await timed(this.#fetch(path, query, { ...request, headers, signal: closing.signal }));
      if (!answer.ok) throw problemOf(answer.status, await timed(answer.text()), answer.headers);
      const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
      const decoder = new TextDecoder();
      for (let rest = ""; ; ) {
        const { value, done } = await timed(reader.read());
        if (done) return;
        begun = true;
        // Lines end at LF alone, though texts may hold other signs at which some end them.
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) yield line ? JSON.parse(line) : undefined;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      closing.abort();
    }
  }

  /**
   * One attempt. A redirect is followed to the same origin alone, as another one would be given the token, and where it
   * does not make another request of it.
   * @param {string} path @param {Sending["query"]} query @param {RequestInit} request
   */
  async #fetch(path, query = {}, request) {
    let url = new URL(`${this.base}/${`${path}`.replace(/^\/?(v1\/)?/, "")}`, globalThis.location?.href);
    for (const [name, given] of Object.entries(query)) {
      for (const value of [given ?? []].flat()) url.searchParams.append(name, `${value}`);
    }
    const headers = { ...request.headers, ...(this.token ? { authorization: `Bearer ${this.token}` } : {}) };
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.fetch.call(globalThis, url, { ...request, headers, redirect: "manual" });
      if (answer.type !== "opaqueredirect" && !REDIRECTING.has(answer.status)) return answer;
      const place = new URL(answer.headers.get("location") ?? "about:blank", url);
      await answer.body?.cancel();
      const same = (request.method ?? "GET") === "GET" || answer.status >= 307;
      if (!same || place.origin !== url.origin || redirects === MOST_REDIRECTS) {
        throw new Problem(answer.status, { code: "redirected", detail: `not followed to ${place}: give that address` });
      }
      url = place;
    }
  }
}

/**
 * JSON as its value, other texts as text, nothing as null; undefined for content that is read as bytes.
 * @param {Response} answer @param {string} text
 */
function readValue(answer, text) {
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return JSON.parse(text);
  return answer.status === 204 ? null : type.startsWith("text/") ? text : undefined;
}
