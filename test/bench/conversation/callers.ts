/** Runs many callers in a separate process. Each talks over a WebSocket as a carrier does. */
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import pMap from "p-map";
import type { Orders, Told } from "./talk.ts";

/** The share of turns after which the model is requested directly. */
const ASKED_DIRECTLY = 0.2;
/** Callers that connect at a time. */
const CALLING = 8;

interface Frame {
  type: string;
  token?: string;
  last?: boolean;
}

/** A caller who is greeted and then repeatedly says something and hears the answer. */
class Caller {
  /** When the greeting was heard, ms after the connection was requested. */
  readonly greeted: Promise<number>;
  readonly floor_ms: number[] = [];
  readonly #socket: WebSocket;
  readonly #orders: Orders;
  readonly #random: () => number;
  #hear: (frame: Frame) => void = () => {};
  #talks = true;

  constructor(orders: Orders, token: string, index: number) {
    const { url, handshake, seed } = orders;
    const began = performance.now();
    const headers = handshake === "header" ? { authorization: `Bearer ${token}` } : {};
    // Node's WebSocket accepts headers; the browser's does not.
    this.#socket = new WebSocket(url, { headers } as unknown as string[]);
    this.#orders = orders;
    this.#random = randomFrom(seed + index);
    this.#socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(String(data)) as Frame));
    this.#socket.addEventListener("open", () => {
      const setup = { type: "setup", sessionId: "VX1", callSid: "CA1", customParameters: { session_token: token } };
      this.#socket.send(JSON.stringify(setup));
    });
    this.greeted = this.#whole(() => {}).then(() => performance.now() - began);
    this.#socket.addEventListener("close", ({ code, reason }) => {
      if (this.#talks) throw new Error(`the connection closed: ${code} ${reason}`);
    });
  }

  /** Talks; returns for each turn what the runtime added to the model's time, ms. */
  async talk(): Promise<number[]> {
    const { turns, says, pause_ms } = this.#orders;
    const added: number[] = [];
    for (let n = 0; n < turns; n++) {
      await sleep(pause_ms.least + this.#random() * (pause_ms.most - pause_ms.least));
      const began = performance.now();
      const answer = this.#whole((first) => added.push(performance.now() - began - Number.parseFloat(first)));
      this.#socket.send(JSON.stringify({ type: "prompt", voicePrompt: says, lang: "en-US", last: true }));
      await answer;
      if (this.#random() < ASKED_DIRECTLY) this.floor_ms.push(await askDirectly(this.#orders.model_url));
    }
    return added;
  }

  hangUp(): void {
    this.#talks = false;
    this.#socket.close(1000);
  }

  /** Resolves when the agent has ended its turn; `first` is called with its first words. */
  #whole(first: (token: string) => void): Promise<void> {
    let begun = false;
    return new Promise((resolve) => {
      this.#hear = ({ type, token = "", last }) => {
        if (type !== "text") return;
        // Fillers and apologies are not numbers.
        if (!begun && Number.isFinite(Number.parseFloat(token))) {
          begun = true;
          first(token);
        }
        if (last) resolve();
      };
    });
  }
}

/** Measures the overhead of a request to the model up to its first word, without the model's own time. */
async function askDirectly(url: string): Promise<number> {
  const began = performance.now();
  const body = JSON.stringify({ model: "stand-in", stream: true, messages: [{ role: "user", content: "Hello?" }] });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/chat/completions`, { method: "POST", headers, body });
  const decoder = new TextDecoder();
  let text = "";
  let added: number | null = null;
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const [, took] = /"content":"([\d.]+) "/.exec(text) ?? [];
    if (took !== undefined) added ??= performance.now() - began - Number(took);
  }
  if (added === null) throw new Error(`the model did not answer: ${answer.status}`);
  return added;
}

/** Returns numbers in [0, 1) that are determined by a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

process.once("disconnect", () => process.exit());
const [orders] = (await once(process, "message")) as [Orders];
const tell = (told: Told) => process.send?.(told);

const callers: Caller[] = [];
const call = async (token: string, i: number) => {
  const caller = new Caller(orders, token, i);
  callers.push(caller);
  return caller.greeted;
};
tell({ type: "greeted", after_ms: await pMap(orders.tokens, call, { concurrency: CALLING }) });
await once(process, "message");
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const began = performance.now();
const added_ms = await Promise.all(callers.map((caller) => caller.talk()));
delay.disable();
const own_delay_ms = { p99: delay.percentile(99) / 1e6 - 1, most: delay.max / 1e6 - 1 };
const floor_ms = callers.flatMap(({ floor_ms }) => floor_ms);
tell({ type: "done", added_ms: added_ms.flat(), floor_ms, took_ms: performance.now() - began, own_delay_ms });
await once(process, "message");
for (const caller of callers) caller.hangUp();
await sleep(200);
process.exit();
