import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { TIMERS } from "../../../src/conversation/runtime/models/timeouts.ts";
import type { Conversation, Page } from "../../records/conversations/support.ts";
import type { Tenant } from "../../support/client.ts";
import {
  type Frame,
  openRuntime,
  type RuntimeSession,
  type RuntimeSocket,
  runtimeSession,
} from "../../support/runtime.ts";

export const GREETING = "Hello, this is Acme. How can I help?";
/** A caller's words that the scripted agent answers without ending the call. */
export const QUESTION = "Can I talk about something?";

const WAIT = { interval: 10 };

/** Creates the session of a call whose agent greets. */
export function greetedSession(agent: Record<string, unknown> = {}, call: Record<string, unknown> = {}) {
  return runtimeSession({ greeting_message: GREETING, system_prompt: "You answer for Acme.", ...agent }, call);
}

/** Creates a call that the edge runtime holds and has greeted. */
export async function conversing(
  agent: Record<string, unknown> = {},
): Promise<{ call: RuntimeSession; socket: RuntimeSocket }> {
  const call = await greetedSession(agent);
  return { call, socket: await connected(call) };
}

/** Connects to the call's session and waits for the greeting. */
export async function connected({ session_token }: Pick<RuntimeSession, "session_token">): Promise<RuntimeSocket> {
  const socket = await openRuntime(session_token);
  await socket.until(isLast);
  return socket;
}

export const prompt = (voicePrompt: string): Frame => ({ type: "prompt", voicePrompt, lang: "en-US", last: true });
export const isLast = (frame: Frame) => frame.type === "text" && frame.last === true;
export const isEnd = (frame: Frame) => frame.type === "end";
export const spoken = (frames: Frame[]) =>
  frames
    .filter(({ type }) => type === "text")
    .map(({ token }) => String(token))
    .join("");

/** Says something and returns the agent's answer. */
export async function ask(socket: RuntimeSocket, words: string): Promise<string> {
  socket.send(prompt(words));
  return spoken(await socket.until(isLast));
}

type Held = Pick<Tenant, "account" | "server"> & { call_id: string };

/** Returns the object of a conversation by its call's id or its visitor's sign-in. */
export const objectOf = ({ account }: Pick<Tenant, "account">, key: string) =>
  env.CONVERSATION.getByName(`${account}/${key}`);

/** Lists the call's conversations. */
export async function listed({ server, call_id }: Pick<Held, "server" | "call_id">): Promise<Conversation[]> {
  return (await server.get<Page>(`/api/v1/conversations?call_id=${call_id}`)).body.conversations;
}

/** Returns the call's conversation once it is listed. */
export async function recordOf(call: Pick<Held, "server" | "call_id">): Promise<Conversation> {
  const found = await vi.waitFor(async () => {
    const [first, ...others] = await listed(call);
    expect(others).toEqual([]);
    if (!first) throw new Error("no conversation is listed");
    return first;
  }, WAIT);
  return (await call.server.get<Conversation>(`/api/v1/conversations/${found.id}`)).body;
}

/** Returns the call's conversation once it matches `until`. */
export function recordOnce(call: Pick<Held, "server" | "call_id">, until: (found: Conversation) => boolean) {
  return vi.waitFor(async () => {
    const found = await recordOf(call);
    expect(until(found), JSON.stringify(found)).toBe(true);
    return found;
  }, WAIT);
}
export const hasEnded = ({ status }: Conversation) => status === "ended";

/** Returns one line per turn; `!` marks interrupted ones. */
export const linesOf = ({ turns }: Conversation) =>
  turns.map(({ role, text, interrupted }) => `${role}${interrupted ? "!" : ""}: ${text}`);

/** Moves the clock forward by this time (ms). It then stands still until it is restored. */
export function advanceClock(ms: number): void {
  const now = Date.now() + ms;
  vi.useFakeTimers({ toFake: ["Date"], now });
}

/** Replaces the clock that measures models and voices. The returned function makes it run fast. */
export function conversationTime(): () => void {
  vi.spyOn(TIMERS, "after").mockImplementation((ms, run) => {
    const due = TIMERS.now + ms;
    const look = () => (TIMERS.now < due ? later() : run());
    let timer: ReturnType<typeof setTimeout>;
    const later = () => {
      timer = setTimeout(look, 5);
    };
    later();
    return () => clearTimeout(timer);
  });
  return () => {
    const began = Date.now();
    vi.spyOn(TIMERS, "now", "get").mockImplementation(() => began + 200 * (Date.now() - began));
  };
}

/** Fires the conversation's alarm and returns whether one was set. A running alarm sets the next one when it ends. */
export async function wake(held: Pick<Tenant, "account">, key: string): Promise<boolean> {
  await vi.waitFor(async () => {
    const { tables, alarm } = await stored(held, key);
    expect(tables.length === 0 || alarm !== null).toBe(true);
  }, WAIT);
  return runDurableObjectAlarm(objectOf(held, key) as unknown as DurableObjectStub);
}

/** Returns what the conversation's object has stored. */
export function stored(
  held: Pick<Tenant, "account">,
  key: string,
): Promise<{ tables: string[]; alarm: number | null }> {
  return runInDurableObject(objectOf(held, key) as unknown as DurableObjectStub, async (_, { storage }) => ({
    tables: storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray()
      .map(({ name }) => name),
    alarm: await storage.getAlarm(),
  }));
}

/** Restarts the conversation's object with other bindings and variables. */
export function livesWith(
  held: Pick<Tenant, "account">,
  key: string,
  bindings: Record<string, unknown>,
): Promise<void> {
  return runInDurableObject(objectOf(held, key) as unknown as DurableObjectStub, (instance) => {
    const { env: before } = instance as unknown as { env: Env };
    Object.assign(instance, { env: { ...before, ...bindings } });
  });
}

/** Returns how many calls the account's caps count as running. */
export async function running({ server }: Pick<Tenant, "server">): Promise<number> {
  type Limits = { concurrent_calls: { used: number } };
  return (await server.get<Limits>("/api/v1/call-limits")).body.concurrent_calls.used;
}
