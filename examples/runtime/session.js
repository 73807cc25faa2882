/* The client of Switchboard's runtime contract: the session, its events until they are taken, hangup and transfer. */

import { setTimeout as sleep } from "node:timers/promises";

/** A request that has no answer by then is asked again, ms. */
const TIMEOUT_MS = 3_000;
/** Waits between tries, ms: the first, doubling up to the longest. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** The session is asked for so often: the caller hears nothing meanwhile. */
const SESSION_TRIES = 4;
/** What a request holds at most; the platform takes 500 events and 256 KB. */
const MAX_EVENTS = 200;
const MAX_BYTES = 200_000;
/** Events that may wait to be told. */
const MAX_WAITING = 5_000;
/** The token is good for 60 s after the end: what has not arrived by then never will, ms. */
const DRAIN_MS = 55_000;

/** An answer that no second try would change. */
export class Refused extends Error {
  constructor(status, code, text) {
    super(`${status} ${code} ${text}`.trim());
    this.status = status;
    this.code = code;
  }
}

/** The credentials of a call's runtime: the session token that the carrier brings. @param {string} token */
export const ofCall = (token) => ({ authorization: `Bearer ${token}` });

/**
 * The credentials of a visitor's runtime: an API key of yours, beside the access token in the widget's first frame. That
 * token alone opens nothing here, since a page has it too.
 * @param {string} key @param {string} token
 */
export const ofVisitor = (key, token) => ({ authorization: `Bearer ${key}`, "x-visitor-token": token });

/** One session, as its credentials open it. */
export class Session {
  #base;
  #credentials;
  #fetch;

  /** @param {string} base Switchboard's address @param {Record<string, string>} credentials */
  constructor(base, credentials, fetch = globalThis.fetch) {
    this.#base = base.replace(/\/+$/, "");
    this.#credentials = credentials;
    this.#fetch = fetch;
  }

  /** The agent, what it knows, its tools. @throws Refused */
  async get() {
    for (let tries = 1; ; tries++) {
      try {
        return await this.ask("GET", "");
      } catch (error) {
        if (error instanceof Refused || tries === SESSION_TRIES) throw error;
        await sleep(waitAfter(tries, error));
      }
    }
  }

  /** Ends the call. */
  hangUp = () => this.ask("POST", "/hangup");

  /** Hands the caller over to a number; the conversation ends with that. @throws Refused where the carrier cannot */
  transfer = (to_number) => this.ask("POST", "/transfer", { to_number });

  /** @throws Refused; any other error where asking again may help */
  async ask(method, path, body) {
    const headers = { ...this.#credentials, "content-type": "application/json" };
    const response = await this.#fetch(`${this.#base}/api/runtime/v1/session${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text === "" ? null : JSON.parse(text);
    const { status } = response;
    if (status < 500 && status !== 429) throw new Refused(status, response.headers.get("x-error-code") ?? "", text);
    const error = new Error(`${status} ${text}`);
    error.retryAfterMs = 1000 * Number(response.headers.get("retry-after") ?? 0);
    throw error;
  }
}

/** How long to wait after so many failures in a row, ms; not all who failed together come back together. */
function waitAfter(failures, error) {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return Math.max(error.retryAfterMs || 0, wait * (0.75 + Math.random() / 2));
}

/**
 * Numbers events from 1 and tells them in order, each until it is taken: a request without an answer is repeated as it
 * was, which the platform takes for the same events. One request is under way at a time.
 */
export class Reporter {
  #session;
  #seq = 0;
  /** What was not taken yet. */
  #waiting = [];
  #sending = null;
  #failures = 0;
  #giveUpAt = Infinity;
  #overflown = false;
  /** Called once when the session takes nothing any more. */
  onRefused = () => {};
  refused = false;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** Reports something that happened now. Once too much waits, or nothing is taken any more, it is dropped. */
  add(type, fields = {}) {
    if (this.refused) return;
    // A gap could never be closed: numbers are given to what is kept alone, and there is room for the end.
    if (this.#waiting.length >= MAX_WAITING && type !== "ended") {
      if (!this.#overflown) console.error("events were refused: some are lost");
      this.#overflown = true;
      return;
    }
    this.#waiting.push({ seq: ++this.#seq, at: new Date().toISOString(), type, ...fields });
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
  }

  /** Resolves when everything was taken, or never will be. */
  async drain() {
    this.#giveUpAt = Date.now() + DRAIN_MS;
    await this.#sending;
  }

  async #send() {
    // What happens at one moment goes in one request.
    await sleep(20);
    while (this.#waiting.length > 0 && !this.refused) {
      const events = firstBatch(this.#waiting);
      try {
        const { accepted_through } = await this.#session.ask("POST", "/events", { events });
        if (accepted_through < events[0].seq) throw new Error(`only ${accepted_through} events were accepted`);
        this.#waiting = this.#waiting.filter(({ seq }) => seq > accepted_through);
        this.#failures = 0;
      } catch (error) {
        if (error instanceof Refused) return this.#stop(error);
        const wait = waitAfter(++this.#failures, error);
        if (Date.now() + wait > this.#giveUpAt) return this.#stop(error);
        await sleep(wait);
      }
    }
  }

  #stop(error) {
    this.refused = true;
    console.error(`${this.#waiting.length} events are lost: ${error.message}`);
    this.#waiting = [];
    this.onRefused();
  }
}

function firstBatch(events) {
  let bytes = 0;
  const over = events.slice(0, MAX_EVENTS).findIndex((event) => {
    bytes += Buffer.byteLength(JSON.stringify(event)) + 1;
    return bytes > MAX_BYTES;
  });
  return events.slice(0, over === -1 ? MAX_EVENTS : Math.max(1, over));
}
