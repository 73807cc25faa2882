import { afterEach, describe, expect, it, vi } from "vitest";
import { framesOf, openaiFrames } from "../../../src/dev/stand-in-frames.ts";
import { Client } from "../../support/client.ts";
import type { RuntimeSession } from "../../support/runtime.ts";
import { conversing, isLast, livesWith, prompt, recordOf, recordOnce, wake } from "./conversing.ts";

afterEach(() => vi.restoreAllMocks());

const SERVER = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };
const WORDS = prompt("Take me off your list, please.");

interface Entry {
  phone_number: string;
  conversation_id: string | null;
}

const blocked = async ({ server }: Pick<RuntimeSession, "server">) =>
  (await server.get<{ numbers: Entry[] }>("/api/v1/do-not-call")).body.numbers;

/** Waits until the do-not-call list has a number. */
const blockedOnce = (call: RuntimeSession) =>
  vi.waitFor(async () => {
    await wake(call, call.call_id);
    const [entry] = await blocked(call);
    if (!entry) throw new Error("the list is empty");
    return entry;
  });

/** Creates a call whose agent's model answers without tools; `asked` are its requests' bodies. */
async function thinking() {
  const { call, socket } = await conversing();
  await livesWith(call, call.call_id, SERVER);
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    asked.push(String(init?.body));
    return new Response(framesOf(openaiFrames(), [{ say: "I see." }]).join(""));
  });
  return { call, socket, asked };
}

/** Creates a conversation whose caller has opted out, and returns it with the entry of the number. */
async function optedOut() {
  const { call, socket, asked } = await thinking();
  socket.send(WORDS);
  await socket.until(isLast);
  const entry = await blockedOnce(call);
  return { call, asked, entry, undo: `/api/v1/conversations/${entry.conversation_id}/undo-opt-out` };
}

describe("a caller who asks for no more calls", () => {
  it("a caller who opts out is on the do-not-call list whatever the model does", async () => {
    const { call, asked, entry } = await optedOut();
    const record = await recordOf(call);
    expect(entry).toMatchObject({ phone_number: record.phone_number, conversation_id: record.id });
    expect(record).toMatchObject({ disposition: "opted_out", opted_out: true });
    expect(asked[0]).toContain("their number is on the do-not-call list now");
  });

  it("a misunderstood caller is taken off the do-not-call list again", async () => {
    const { call, entry, undo } = await optedOut();
    expect(await call.server.post(undo)).toMatchObject({ status: 200, body: { on_list: false } });
    expect(await blocked(call)).toEqual([]);
    expect(await call.server.post(undo)).toMatchObject({ status: 200, body: { on_list: false } });
    type Log = { entries: { action: string; resource_id: string }[] };
    const { entries } = (await call.user.get<Log>("/api/v1/audit-log?action=undo_opt_out")).body;
    expect(entries[0]).toMatchObject({ resource: "conversation", resource_id: entry.conversation_id });
  });

  it("stays on the do-not-call list if a member also added the number", async () => {
    const { call, entry, undo } = await optedOut();
    await call.server.post("/api/v1/do-not-call", { numbers: [entry.phone_number] });
    expect((await call.server.post(undo)).body).toEqual({ on_list: true });
    expect(await blocked(call)).toMatchObject([{ conversation_id: null }]);
  });

  it("stays on the do-not-call list if the number was there before", async () => {
    const { call, socket } = await thinking();
    const { id, phone_number } = await recordOf(call);
    await call.server.post("/api/v1/do-not-call", { numbers: [phone_number] });
    socket.send(WORDS);
    await recordOnce(call, ({ disposition }) => disposition === "opted_out");
    await wake(call, call.call_id);
    expect((await call.server.post(`/api/v1/conversations/${id}/undo-opt-out`)).body).toEqual({ on_list: true });
  });

  it("a key without the scope dial does not take a caller off the do-not-call list", async () => {
    const { call, undo } = await optedOut();
    const key = await call.user.post<{ key: string }>("/api/v1/api-keys", { name: "reader", scopes: ["read"] });
    const reader = new Client({ authorization: `Bearer ${key.body.key}` });
    expect((await reader.post(undo)).status).toBe(403);
  });
});
