import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { inTime, WAIT } from "../campaigns/crash-support.ts";
import { Service } from "../campaigns/service.ts";
import { Line } from "./line.ts";
import { type Conversation, Reception, type Taken } from "./reception.ts";

/** Enough conversations to detect mix-ups. `npm run bench -- conversation` holds up to 2,000. */
const CALLERS = 24;
/** The number of calls that come in at a time. */
const RINGING = 6;
/** After this time, a waiting caller says something, ms. The agent would take longer silence for the end. */
const SPEAKS_UP_MS = 15_000;
const LINES = ["What can you do for me?", "Tell me more about it.", "Thank you, goodbye."];

let service: Service;
let reception: Reception;

beforeAll(async () => {
  const secrets = await freshSecrets();
  const talk = { SANDBOX_CONVERSATION: "off", SANDBOX_TALK_MS: "3600000", SANDBOX_RING_MS: "1" };
  service = await Service.prepare({ ...secrets, ...talk });
  await service.start();
  reception = await Reception.open(service, secrets.SIGNING_KEYS);
}, 300_000);

afterAll(async () => {
  await service?.remove();
}, 60_000);

/** A caller who talks with the scripted agent. */
class Caller {
  readonly call: Taken;
  /** The turns as the caller said and heard them. */
  readonly turns: string[] = [];
  readonly #line: Line;

  private constructor(call: Taken, line: Line) {
    this.call = call;
    this.#line = line;
  }

  /** Calls and hears the greeting. */
  static async greeted(n: number): Promise<Caller> {
    const call = await reception.ring(`+1303${6_000_050 + 100 * n}`);
    const caller = new Caller(
      call,
      await Line.open(`${service.url.replace(/^http/, "ws")}/runtime`, { session_token: call.session_token }),
    );
    await caller.#listen();
    return caller;
  }

  /** Once all callers are connected, says everything and hears the agent's answers until the conversation ends. */
  async talk(everybody: Promise<unknown>): Promise<void> {
    const there = everybody.then(() => true);
    while (!(await Promise.race([there, sleep(SPEAKS_UP_MS, false)]))) await this.#say("Tell me more about it.");
    for (const line of LINES) await this.#say(line);
    while ((await this.#next()).type !== "end");
    await reception.hangUp(this.call);
  }

  async #say(voicePrompt: string): Promise<void> {
    this.turns.push(`user: ${voicePrompt}`);
    this.#line.send({ type: "prompt", voicePrompt, lang: "en-US", last: true });
    await this.#listen();
  }

  async #listen(): Promise<void> {
    let text = "";
    for (;;) {
      const { type, token = "", last } = await this.#next();
      if (type !== "text") throw new Error(`the agent does not speak, but: ${type}`);
      text += token;
      if (last) break;
    }
    this.turns.push(`agent: ${text}`);
  }

  async #next() {
    const come = await this.#line.next();
    if (come === "closed" || come === "quiet") throw new Error(`the line is ${come}`);
    return come;
  }
}

describe(`${CALLERS} conversations at once`, () => {
  it("all end, are recorded word for word, and leave no lease behind", async () => {
    const callers: Caller[] = [];
    const talking: Promise<void>[] = [];
    const everybody = Promise.withResolvers<void>();
    let next = 0;
    const ringing = async () => {
      while (next < CALLERS) {
        const caller = await Caller.greeted(next++);
        callers.push(caller);
        talking.push(caller.talk(everybody.promise));
      }
    };
    await inTime(Promise.all(Array.from({ length: RINGING }, ringing)), "not everybody is greeted");
    const limits = () => reception.get<{ concurrent_calls: { used: number } }>("/api/v1/call-limits");
    expect((await limits()).concurrent_calls.used).toBe(CALLERS);
    everybody.resolve();
    await inTime(Promise.all(talking), "not everybody comes to the end");
    const shown = ({ turns }: Conversation) =>
      turns.filter(({ role }) => role !== "tool").map(({ role, text }) => `${role}: ${text}`);
    for (const { call, turns } of callers) {
      const record = await vi.waitFor(async () => {
        const now = await reception.conversation(call);
        expect(now.status).toBe("ended");
        return now;
      }, WAIT);
      expect(shown(record)).toEqual(turns);
      expect(record).toMatchObject({ complete: true, end_reason: "agent_ended" });
    }
    await vi.waitFor(async () => expect((await limits()).concurrent_calls.used).toBe(0), WAIT);
  }, 600_000);
});
