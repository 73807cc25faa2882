import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { KillSwitch } from "./kills.ts";
import type { Reception, Taken } from "./reception.ts";

/** When the service can be killed: a request with events was sent, or its response has arrived. */
export const REPORTING = ["events sent", "events answered"] as const;
export type Reporting = (typeof REPORTING)[number];

export interface Reported {
  seq: number;
  at: string;
  type: string;
  [field: string]: unknown;
}

/** The most events in a request, and the most requests at a time. Requests overtake each other, as retries do. */
const BATCH = 12;
const AT_A_TIME = 3;

interface Dependencies {
  reception: Reception;
  killSwitch: KillSwitch<Reporting>;
  random: () => number;
}

/**
 * A custom runtime that holds a conversation and reports it until all reports are accepted. It is also the witness of
 * that.
 */
export class OwnRuntime {
  readonly number: string;
  readonly events: Reported[] = [];
  /** Events that were accepted and then lost, and other faults. */
  readonly faults: string[] = [];
  requests = 0;
  unanswered = 0;
  readonly #do: Dependencies;
  #call: Taken | null = null;
  #token = "";
  /** The number up to which all events were accepted, according to the responses so far. */
  #accepted = 0;

  constructor(number: string, dependencies: Dependencies) {
    this.number = number;
    this.#do = dependencies;
  }

  get call(): Taken {
    if (!this.#call) throw new Error("there is no call");
    return this.#call;
  }

  /** Holds a conversation until it is stopped, and reports all of it. */
  async hold(stop: AbortSignal): Promise<void> {
    const { reception } = this.#do;
    this.#call = await reception.ring(this.number);
    this.#token = await reception.runtimeToken(this.#call);
    const before = await this.session();
    const sending = new Set<Promise<void>>();
    while (!stop.aborted) {
      const batch = this.#happen(1 + Math.floor(this.#do.random() * BATCH));
      // Some events are reported twice, along with new ones.
      const again = this.events.slice(-batch.length - Math.floor(this.#do.random() * 5));
      const one: Promise<void> = this.#report(again).finally(() => sending.delete(one));
      sending.add(one);
      if (sending.size >= AT_A_TIME) await Promise.race(sending);
    }
    await Promise.all(sending);
    const session = await this.session();
    if (JSON.stringify(session) !== JSON.stringify(before)) this.faults.push("the session is another one");
    this.#add("opt_out", {});
    this.#add("ended", { reason: "caller_hung_up" });
    await this.#report(this.events.slice(-2));
    if (this.#accepted !== this.events.length) this.faults.push(`accepted ${this.#accepted} of ${this.events.length}`);
    await this.#do.reception.hangUp(this.call);
  }

  /** Returns the part of the session that must never change. */
  async session(): Promise<unknown> {
    const text = await this.#insist("GET", "/api/runtime/v1/session");
    return { ...(JSON.parse(text) as object), expires_at: null };
  }

  #happen(n: number): Reported[] {
    for (let i = 0; i < n; i++) {
      const seq = this.events.length + 1;
      const id = `t${seq}`;
      switch (seq % 5) {
        case 0:
          this.#add("usage", { input_tokens: seq, output_tokens: 1 });
          break;
        case 1:
          this.#add("user_turn", { text: `The caller says ${seq}.` });
          break;
        case 2:
          this.#add("latency", { ms: seq });
          break;
        case 3:
          this.#add("agent_turn", { text: `The agent says ${seq}.` });
          break;
        default:
          this.#add("tool_call", { tool_call_id: id, name: "look_up", arguments: { seq } });
      }
    }
    return this.events.slice(-n);
  }

  #add(type: string, fields: object): void {
    const seq = this.events.length + 1;
    this.events.push({ seq, at: new Date().toISOString(), type, ...fields });
  }

  /** Sends these events until they are accepted. */
  async #report(events: Reported[]): Promise<void> {
    const before = () => this.#accepted;
    let floor = before();
    const body = JSON.stringify({ events });
    const text = await this.#insist("POST", "/api/runtime/v1/session/events", body, () => {
      floor = before();
    });
    const { accepted_through } = JSON.parse(text) as { accepted_through: number };
    if (accepted_through < floor) this.faults.push(`accepted through ${floor}, then through ${accepted_through}`);
    this.#accepted = Math.max(this.#accepted, accepted_through);
  }

  /** Repeats the request until it is answered. `begins` is called for each attempt. */
  async #insist(method: string, path: string, body = "", begins = () => {}): Promise<string> {
    for (;;) {
      begins();
      const answer = await this.#request(method, path, body);
      if (answer?.status === 200) return answer.text;
      if (answer && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      this.unanswered++;
      await sleep(50);
    }
  }

  #request(method: string, path: string, body: string): Promise<{ status: number; text: string } | null> {
    const { killSwitch, reception } = this.#do;
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    const reports = method === "POST";
    if (reports) this.requests++;
    return new Promise((resolve) => {
      let reached = false;
      const asking = request(reception.service.url + path, { method, headers, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        response.on("error", () => resolve(null));
        response.on("end", () => {
          if (reports) killSwitch.reached("events answered");
          resolve({ status: response.statusCode ?? 0, text });
        });
      });
      asking.on("socket", (socket) => {
        socket.once("connect", () => {
          reached = true;
        });
      });
      asking.on("error", () => resolve(null));
      asking.end(body, () => void (reports && reached && killSwitch.reached("events sent")));
    });
  }
}
