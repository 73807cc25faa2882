import { exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { parsedBody } from "../../../src/dev/event-stream.ts";
import { EVENTS } from "../../../src/records/conversations/contract.ts";
import { BASE, type Client } from "../../support/client.ts";
import {
  ask,
  conversing,
  GREETING,
  greetedSession,
  hasEnded,
  prompt,
  QUESTION,
  recordOf,
  recordOnce,
} from "./conversing.ts";

interface Seen {
  event: string;
  id: string;
  data: Record<string, unknown> & { turns?: { text: string }[]; text?: string; seq?: number };
}

/** Reads the conversation's stream event by event. */
async function watch({ headers }: Client, id: string, lastEventId?: string) {
  const own = lastEventId === undefined ? headers : { ...headers, "last-event-id": lastEventId };
  const answer = await exports.default.fetch(
    new Request(`${BASE}/api/v1/conversations/${id}/events`, { headers: own }),
  );
  if (answer.status !== 200 || !answer.body) throw new Error(`no stream: ${answer.status}`);
  const parsed = parsedBody(answer.body)[Symbol.asyncIterator]();
  const next = async (): Promise<Seen | null> => {
    const { done, value } = await parsed.next();
    if (done) return null;
    return "retry" in value ? next() : { ...value, data: JSON.parse(value.data) };
  };
  const rest = async (): Promise<Seen[]> => {
    const seen = await next();
    return seen === null ? [] : [seen, ...(await rest())];
  };
  return { next, rest, leave: () => parsed.return?.(undefined) };
}

describe("the stream of a live conversation", () => {
  it("begins with a snapshot, sends every event, and ends with the conversation", async () => {
    const { call, socket } = await conversing();
    const { id } = await recordOf(call);
    const stream = await watch(call.user, id);
    const snapshot = await stream.next();
    expect(snapshot).toMatchObject({ event: "snapshot", id: "1", data: { id, status: "live", turn_count: 1 } });
    expect(snapshot?.data.turns?.map(({ text }) => text)).toEqual([GREETING]);
    const answer = await ask(socket, QUESTION);
    socket.send(prompt("Okay, goodbye!"));
    const seen = await stream.rest();
    // Every event matches its documented schema.
    for (const { event, data } of [snapshot, ...seen].flatMap((one) => one ?? [])) {
      const schema = EVENTS[event as keyof typeof EVENTS];
      expect(schema.parse(data), event).toEqual(data);
    }
    const ids = seen.map((event) => Number(event.id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(seen.every(({ data }) => data.conversation_id === id)).toBe(true);
    const turnTexts = seen
      .filter(({ event }) => event === "user_turn" || event === "agent_turn")
      .map(({ data }) => data.text);
    expect(turnTexts.slice(0, 2)).toEqual([QUESTION, answer]);
    expect(seen.at(-1)).toMatchObject({ event: "ended", data: { reason: "agent_ended" } });
    // A watcher has received every recorded turn.
    const { turns } = await recordOnce(call, hasEnded);
    expect(turns.filter(({ role }) => role !== "tool").map(({ text }) => text)).toEqual([GREETING, ...turnTexts]);
  });

  it("resumes after the last event that was received", async () => {
    const { call, socket } = await conversing();
    const { id } = await recordOf(call);
    const first = await watch(call.user, id);
    await first.next();
    await ask(socket, QUESTION);
    const seen = await first.next();
    await first.leave();
    await vi.waitFor(async () => expect((await recordOf(call)).turns).toHaveLength(3));
    const again = await watch(call.user, id, seen?.id);
    expect((await again.next())?.event).toBe("snapshot");
    socket.close();
    const rest = await again.rest();
    expect(Number(rest[0]?.id)).toBe(Number(seen?.id) + 1);
    expect(rest.at(-1)).toMatchObject({ event: "ended", data: { reason: "caller_hung_up" } });
  });

  it("sends the end to all watchers and frees their quota", async () => {
    const { call, socket } = await conversing();
    const { id } = await recordOf(call);
    const streams = await Promise.all(Array.from({ length: 5 }, () => watch(call.user, id)));
    socket.send(prompt(QUESTION));
    socket.send(prompt("Okay, goodbye!"));
    for (const { rest } of streams) expect((await rest()).at(-1)?.event).toBe("ended");
    type Quotas = { quotas: { event_streams: { used: number } } };
    const open = async () => (await call.server.get<Quotas>("/api/v1/quotas")).body.quotas.event_streams.used;
    await vi.waitFor(async () => expect(await open()).toBe(0));
  });

  it("ends when the conversation is deleted", async () => {
    const { call } = await conversing();
    const { id } = await recordOf(call);
    const stream = await watch(call.user, id);
    await stream.next();
    expect((await call.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
    expect((await stream.rest()).filter(({ event }) => event === "snapshot")).toEqual([]);
    await expect(watch(call.user, id)).rejects.toThrow("404");
  });

  it("sends what another runtime reports, and ends with that runtime's end", async () => {
    const session = await greetedSession();
    const at = new Date().toISOString();
    const report = (...events: object[]) => session.client.post("/api/runtime/v1/session/events", { events });
    await report({ seq: 1, at, type: "user_turn", text: "one" });
    const { id } = await recordOf(session);
    const stream = await watch(session.user, id);
    await stream.next();
    await report({ seq: 3, at, type: "ended", reason: "done" }, { seq: 2, at, type: "user_turn", text: "two" });
    expect((await stream.rest()).map(({ event, data }) => [event, data.seq])).toEqual([
      ["ended", 3],
      ["user_turn", 2],
    ]);
  });
});
