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
/** A caller's words that the scripted agent answers without ending anything. */
export const QUESTION = "Can I talk about something?";

const WAIT = { interval: 10 };

/** The session of a call whose agent greets. */
export function greetedSession(agent: Record<string, unknown> = {}, call: Record<string, unknown> = {}) {
  return runtimeSession({ greeting_message: GREETING, system_prompt: "You answer for Acme.", ...agent }, call);
}

/** A call that the edge runtime holds and has greeted. */
export async function conversing(
  agent: Record<string, unknown> = {},
): Promise<{ call: RuntimeSession; socket: RuntimeSocket }> {
  const call = await greetedSession(agent);
  return { call, socket: await connected(call) };
}

/** A connection to the call's session, once its agent has greeted. */
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

/** Says something; gives what the agent answers. */
export async function ask(socket: RuntimeSocket, words: string): Promise<string> {
  socket.send(prompt(words));
  return spoken(await socket.until(isLast));
}

type Held = Pick<Tenant, "account" | "server"> & { call_id: string };

/** The object that holds a conversation, by its call's id or its visitor's sign-in. */
export const objectOf = ({ account }: Pick<Tenant, "account">, key: string) =>
  env.CONVERSATION.getByName(`${account}/${key}`);

/** The conversations of the call as they are listed. */
export async function listed({ server, call_id }: Pick<Held, "server" | "call_id">): Promise<Conversation[]> {
  return (await server.get<Page>(`/api/v1/conversations?call_id=${call_id}`)).body.conversations;
}

/** The call's conversation as it is now, once it is listed. */
export async function recordOf(call: Pick<Held, "server" | "call_id">): Promise<Conversation> {
  const found = await vi.waitFor(async () => {
    const [first, ...others] = await listed(call);
    expect(others).toEqual([]);
    if (!first) throw new Error("no conversation is listed");
    return first;
  }, WAIT);
  return (await call.server.get<Conversation>(`/api/v1/conversations/${found.id}`)).body;
}

/** The call's conversation once it is as `until` wants. */
export function recordOnce(call: Pick<Held, "server" | "call_id">, until: (found: Conversation) => boolean) {
  return vi.waitFor(async () => {
    const found = await recordOf(call);
    expect(until(found), JSON.stringify(found)).toBe(true);
    return found;
  }, WAIT);
}
export const hasEnded = ({ status }: Conversation) => status === "ended";

/** What was said, one line per turn; `!` marks interrupted ones. */
export const linesOf = ({ turns }: Conversation) =>
  turns.map(({ role, text, interrupted }) => `${role}${interrupted ? "!" : ""}: ${text}`);

/** Moves the clock forward by this much (ms); it stands still until it is restored. */
export function passes(ms: number): void {
  const now = Date.now() + ms;
  vi.useFakeTimers({ toFake: ["Date"], now });
}

/**
 * Replaces the clock that measures how long models and voices take. Returns the function that makes it pass quickly from
 * then on.
 */
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

/** Fires the conversation's alarm; returns whether one was set. An alarm that is being handled sets the next as it ends. */
export async function wake(held: Pick<Tenant, "account">, key: string): Promise<boolean> {
  await vi.waitFor(async () => {
    const { tables, alarm } = await stored(held, key);
    expect(tables.length === 0 || alarm !== null).toBe(true);
  }, WAIT);
  return runDurableObjectAlarm(objectOf(held, key) as unknown as DurableObjectStub);
}

/** What the conversation's object has stored. */
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

/** Has the conversation's object live with other bindings and variables. */
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

/** How many calls the account's caps count as running. */
export async function running({ server }: Pick<Tenant, "server">): Promise<number> {
  type Limits = { concurrent_calls: { used: number } };
  return (await server.get<Limits>("/api/v1/call-limits")).body.concurrent_calls.used;
}
