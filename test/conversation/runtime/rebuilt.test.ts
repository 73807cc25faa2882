import { runInDurableObject } from "cloudflare:test";
import { decodeJwt } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LOST_MS } from "../../../src/conversation/runtime/turns/waiting.ts";
import { framesOf, openaiFrames } from "../../../src/dev/stand-in-frames.ts";
import { budget, createBudget } from "../../account/budgets/support.ts";
import type { Tenant } from "../../support/client.ts";
import { type Frame, openRuntime } from "../../support/runtime.ts";
import { widgetTenant } from "../../support/widget.ts";
import { talk, user } from "../leases/support.ts";
import {
  advanceClock,
  ask,
  connected,
  GREETING,
  greetedSession,
  hasEnded,
  isLast,
  livesWith,
  objectOf,
  prompt,
  recordOnce,
  spoken,
  wake,
} from "./conversing.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const MODEL = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };
const EARLIER = "Is this Acme?";
const WORDS = "When do you open?";
const ANSWER = "We open at nine.";
/** The tokens that the stand-in reports for each answer. */
const REPORTED = 12 + 7;
/** Longer than the input of any request in these tests, tokens. */
const MOST_INPUT = 5_000;

const { setTimeout: original } = globalThis;

/** Holds the timers with which objects write what they have in memory, until `killAtRequest` kills one. */
async function holdWrites(): Promise<void> {
  // Timers that are already set fire first.
  await new Promise((resolve) => original(resolve, 0));
  vi.stubGlobal("setTimeout", (run: () => void, ms: number) => (ms === 0 ? 0 : original(run, ms)));
}

/** Kills the conversation's object while the model has this request. */
async function killAtRequest(who: Pick<Tenant, "account">, key: string, n: number): Promise<() => number> {
  const object = objectOf(who, key) as unknown as DurableObjectStub;
  await livesWith(who, key, MODEL);
  const abort = await runInDurableObject(object, (_, state) => () => state.abort("killed"));
  let requests = 0;
  vi.stubGlobal("fetch", async () => {
    if (++requests !== n) return new Response(framesOf(openaiFrames(), [{ say: ANSWER }]).join(""));
    await scheduler.wait(1);
    vi.stubGlobal("setTimeout", original);
    abort();
    return new Promise(() => {});
  });
  return () => requests;
}

/** Returns the turns that the conversation's object has stored, and what budgets are charged for it. */
const storedIn = (who: Pick<Tenant, "account">, key: string) =>
  runInDurableObject(objectOf(who, key) as unknown as DurableObjectStub, (_, { storage }) => {
    const events = storage.sql.exec<{ event: string }>("SELECT event FROM events ORDER BY n").toArray();
    const turns = events.map(({ event }) => JSON.parse(event)).filter(({ type }) => /_turn$/.test(type));
    const charged = storage.sql.exec<{ tokens: number; requests: number }>(
      "SELECT input_tokens + output_tokens AS tokens, requests FROM conversation",
    );
    return Object.assign(charged.one(), { turns: turns.map(({ text }) => String(text)) });
  });

/** Checks that the budget was charged once for the request that died, and for those that were answered. */
async function chargedOnce(who: Tenant, { key, id, answers }: { key: string; id: string; answers: number }) {
  await vi.waitFor(async () => expect((await storedIn(who, key)).requests).toBe(answers + 1));
  const { tokens } = await storedIn(who, key);
  const ofDead = tokens - answers * REPORTED;
  expect(ofDead).toBeGreaterThan(100);
  expect(ofDead).toBeLessThan(MOST_INPUT);
  await vi.waitFor(async () => expect((await budget(who, id)).used).toBe(tokens));
}

describe("a conversation whose process dies while the model has its request", () => {
  it.each([
    [WORDS, 0],
    [WORDS, 1],
    ["Please stop calling me.", 0],
  ])("a caller's words «%s» are stored, answered once and charged after %i earlier answers", async (words, earlier) => {
    const call = await greetedSession();
    const { id } = await createBudget(call, { limit: 1_000_000 });
    const requests = await killAtRequest(call, call.call_id, earlier + 1);
    const socket = await connected(call);
    if (earlier > 0) await ask(socket, EARLIER);
    await holdWrites();
    socket.send(prompt(words));
    await socket.closed;
    expect((await storedIn(call, call.call_id)).turns.at(-1)).toBe(words);
    await livesWith(call, call.call_id, MODEL);
    // A carrier reconnects and does not repeat what the caller said.
    const again = await openRuntime(call.session_token);
    expect(spoken(await again.until(isLast))).toBe(ANSWER);
    const { turns } = await storedIn(call, call.call_id);
    expect(turns.slice(1 + 2 * earlier)).toEqual([words, ANSWER]);
    expect(requests()).toBe(earlier + 2);
    await chargedOnce(call, { key: call.call_id, id, answers: earlier + 1 });
  });

  it("a caller's words are on record and charged even if the caller does not come back", async () => {
    const call = await greetedSession();
    const { id } = await createBudget(call, { limit: 1_000_000 });
    await killAtRequest(call, call.call_id, 1);
    const socket = await connected(call);
    await holdWrites();
    socket.send(prompt(WORDS));
    await socket.closed;
    await storedIn(call, call.call_id);
    advanceClock(LOST_MS + 1_000);
    await wake(call, call.call_id);
    const { turns } = await recordOnce(call, hasEnded);
    expect(turns.map(({ text }) => text)).toEqual([GREETING, WORDS]);
    await chargedOnce(call, { key: call.call_id, id, answers: 0 });
  });

  it("a visitor's message is answered once and charged even if the page sends it again", async () => {
    const who = await widgetTenant();
    const { id } = await createBudget(who, { limit: 1_000_000 });
    const { access_token } = await user(who, "a");
    const key = String(decodeJwt(access_token).fam);
    const requests = await killAtRequest(who, key, 1);
    const message = { type: "message", id: "a", text: WORDS };
    const isAnswer = ({ type, text }: Frame) => type === "message" && text === ANSWER;
    const socket = await talk(access_token);
    await socket.until(({ type }) => type === "ready");
    await holdWrites();
    socket.send(message);
    await socket.closed;
    await livesWith(who, key, MODEL);
    const again = await talk(access_token);
    again.send(message);
    await again.until(isAnswer);
    await vi.waitFor(async () => expect((await storedIn(who, key)).turns.slice(1)).toEqual([WORDS, ANSWER]));
    expect(requests()).toBe(2);
    await chargedOnce(who, { key, id, answers: 1 });
  });
});
