import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AccountLedger } from "../../../src/records/ledger/account-ledger.ts";
import { archiveKey } from "../../../src/records/ledger/file-keys.ts";
import type { LedgerReport } from "../../../src/records/ledger/report.ts";
import { contactOf, contactsCsv, started, until } from "../../campaign/support.ts";
import { caller, slowly } from "../../phone/calls/support.ts";
import { type Conversation, campaignDoes, ledgerDoes, ledgerOf, leftOf } from "../../records/conversations/support.ts";
import { Client } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { mortal } from "../../support/mortal.ts";
import {
  advanceClock,
  ask,
  connected,
  conversing,
  GREETING,
  greetedSession,
  hasEnded,
  linesOf,
  listed,
  livesWith,
  objectOf,
  prompt,
  QUESTION,
  recordOf,
  recordOnce,
  stored,
  wake,
} from "./conversing.ts";
import { callToken } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const away = (what: string) => () => Promise.reject(new Error(`${what} is away`));
/** More runs than the upkeep of a conversation needs that is interrupted at each of its calls. */
const MOST_RUNS = 30;
const quietly = () => vi.spyOn(console, "error").mockImplementation(() => {});

/** Creates a call with some turns. */
async function talking() {
  const { call, socket } = await conversing();
  await ask(socket, QUESTION);
  await recordOf(call);
  return { call, socket };
}

describe("a conversation that has ended", () => {
  it("an ended conversation is archived in R2, listed, and removed from its object after a minute", async () => {
    const { call, socket } = await talking();
    socket.close();
    const before = await recordOnce(call, hasEnded);
    await vi.waitFor(async () => expect(await leftOf(call, before.id)).toEqual({ file: true, row: true }));
    expect((await stored(call, call.call_id)).tables).toContain("events");
    advanceClock(61_000);
    await wake(call, call.call_id);
    expect(await stored(call, call.call_id)).toEqual({ tables: [], alarm: null });
    vi.useRealTimers();
    expect(withoutCall(await recordOf(call))).toEqual(withoutCall(before));
    const text = await call.server.get<string>(`/api/v1/conversations/${before.id}/transcript`);
    expect(text.body).toContain(`Agent: ${GREETING}`);
  });

  it("waits for R2, stays readable meanwhile, and is archived once", async () => {
    const logged = quietly();
    const { call, socket } = await talking();
    const put = vi.fn(away("R2"));
    await livesWith(call, call.call_id, { CONVERSATIONS: { put } });
    socket.send(prompt("Okay, goodbye!"));
    await socket.closed;
    await vi.waitFor(() => expect(put).toHaveBeenCalled());
    const { id } = await recordOf(call);
    expect(await leftOf(call, id)).toEqual({ file: false, row: true });
    // The retry comes later, even after the minute: the wait grows with every failure.
    advanceClock(61_000);
    for (let i = 0; i < 3; i++) {
      const tries = put.mock.calls.length;
      await wake(call, call.call_id);
      expect(put.mock.calls.length).toBe(tries + 1);
      const { alarm, tables } = await stored(call, call.call_id);
      expect(tables).toContain("events");
      expect((alarm ?? 0) - Date.now()).toBeGreaterThanOrEqual(1_000);
      advanceClock(600_000);
    }
    const shown = (await call.server.get<Conversation>(`/api/v1/conversations/${id}`)).body;
    expect(shown).toMatchObject({ status: "ended", end_reason: "agent_ended", complete: true });
    expect(logged).toHaveBeenCalled();
    await evict(objectOf(call, call.call_id));
    await wake(call, call.call_id);
    expect(await stored(call, call.call_id)).toEqual({ tables: [], alarm: null });
    expect(await leftOf(call, id)).toEqual({ file: true, row: true });
    vi.useRealTimers();
    expect(withoutCall(await recordOf(call))).toEqual(withoutCall(shown));
    expect(await listed(call)).toHaveLength(1);
  });

  it("waits for the ledger, also across a restart, and is listed once with its end", async () => {
    quietly();
    const { call, socket } = await talking();
    await ledgerDoes(call, { report: away("the ledger") });
    socket.close();
    await vi.waitFor(async () => expect((await held(call)).status).toBe("ended"));
    await wake(call, call.call_id);
    expect((await listed(call))[0]?.status).toBe("live");
    const before = await held(call);
    for (let i = 0; i < 2; i++) {
      advanceClock(61_000);
      await evict(objectOf(call, call.call_id));
      await wake(call, call.call_id);
      // Pending reports are kept longer than the minute.
      expect((await stored(call, call.call_id)).tables).toContain("outbox");
    }
    await ledgerDoes(call, { report: AccountLedger.prototype.report });
    advanceClock(600_000);
    await wake(call, call.call_id);
    expect(await stored(call, call.call_id)).toEqual({ tables: [], alarm: null });
    vi.useRealTimers();
    const over = await recordOf(call);
    expect(over).toMatchObject({ status: "ended", end_reason: "caller_hung_up", complete: true });
    expect(over.turns).toEqual(before.turns);
    expect(await listed(call)).toHaveLength(1);
    await eventually(call, over.id, ["conversation.started", "conversation.ended"]);
  });

  it("a conversation emits one event at its beginning and one at its end, even if a report is repeated", async () => {
    quietly();
    const call = await greetedSession();
    const calls = vi.fn();
    // The ledger accepts every report, but every other response is lost.
    const report = async function (this: AccountLedger, reports: LedgerReport[]) {
      await AccountLedger.prototype.report.call(this, reports);
      calls(reports.length);
      if (calls.mock.calls.length % 2 === 1) throw new Error("the answer is lost");
    };
    await ledgerDoes(call, { report });
    const socket = await connected(call);
    await ask(socket, QUESTION);
    await recordOf(call);
    for (let i = 0; i < 2; i++) {
      await evict(objectOf(call, call.call_id));
      await wake(call, call.call_id);
    }
    socket.close();
    const { id } = await recordOnce(call, hasEnded);
    for (let i = 0; i < 2; i++) {
      await evict(objectOf(call, call.call_id));
      await wake(call, call.call_id);
    }
    expect(calls.mock.calls.length).toBeGreaterThan(2);
    await ledgerDoes(call, { report: AccountLedger.prototype.report });
    await eventually(call, id, ["conversation.started", "conversation.ended"]);
    expect(await listed(call)).toHaveLength(1);
  });

  it("a conversation is delivered again without duplicates if its object lost the note of the delivery", async () => {
    const { call, socket } = await talking();
    socket.close();
    const over = await recordOnce(call, hasEnded);
    for (let i = 0; i < 3; i++) {
      await runInDurableObject(objectOf(call, call.call_id) as unknown as DurableObjectStub, (_, { storage }) =>
        storage.sql.exec("UPDATE conversation SET listed = NULL, archived = 0, campaign_reported = NULL"),
      );
      await evict(objectOf(call, call.call_id));
      await wake(call, call.call_id);
    }
    expect(withoutCall(await recordOf(call))).toEqual(withoutCall(over));
    const files = await env.CONVERSATIONS.list({ prefix: `${call.account}/` });
    expect(files.objects.map(({ key }) => key)).toEqual([archiveKey(call.account, over.id)]);
  });
});

describe("a conversation whose process crashes", () => {
  it("is archived and listed once even if the process crashes at each call after the end", async () => {
    quietly();
    const { call, socket } = await talking();
    await ledgerDoes(call, { report: away("the ledger") });
    await livesWith(call, call.call_id, { CONVERSATIONS: { put: away("R2") } });
    socket.close();
    await vi.waitFor(async () => expect((await held(call)).status).toBe("ended"));
    const over = await held(call);
    await ledgerDoes(call, { report: AccountLedger.prototype.report });
    const object = objectOf(call, call.call_id) as unknown as DurableObjectStub;
    // R2 is back.
    await evict(object);
    const process = await mortal(object);
    advanceClock(600_000);
    for (let runs = 0; (await stored(call, call.call_id)).tables.length > 0; runs++) {
      expect(runs).toBeLessThan(MOST_RUNS);
      if (await process.hasDied()) await process.restart();
      await wake(call, call.call_id);
    }
    const places = [...process.deaths].map((death) => death.split(" ").slice(0, 2).join(" "));
    expect(places).toEqual(expect.arrayContaining(["after CONVERSATIONS", "after ACCOUNT_LEDGER"]));
    vi.useRealTimers();
    expect(await leftOf(call, over.id)).toEqual({ file: true, row: true });
    expect(withoutCall(await recordOf(call))).toMatchObject({ status: "ended", turns: over.turns });
    expect(await listed(call)).toEqual([expect.objectContaining({ id: over.id, status: "ended" })]);
    await eventually(call, over.id, ["conversation.started", "conversation.ended"]);
  });
});

describe("a conversation of a campaign's call", () => {
  it("a campaign's conversation is kept until the campaign has received its report", async () => {
    quietly();
    const who = await caller();
    await slowly(who, { SANDBOX_RING_MS: "5" });
    const path = await started(who, contactsCsv(1, "11"));
    const campaign_id = path.split("/").at(-1) ?? "";
    const { call_id } = await until(
      () => contactOf(who.server, path),
      ({ status }) => status === "connected",
    );
    const token = await callToken({
      sub: call_id ?? "",
      account: who.account,
      agent_id: who.agent_id,
      campaign_id,
    });
    const reported: unknown[] = [];
    const conversation = async (...args: never[]) => {
      reported.push(args);
      throw new Error("the campaign is away");
    };
    await campaignDoes(who, campaign_id, { conversation });
    const runtime = new Client({ authorization: `Bearer ${token}` });
    const at = new Date().toISOString();
    const events = [
      { seq: 1, at, type: "user_turn", text: "Yes please." },
      { seq: 2, at, type: "disposition", value: "interested" },
      { seq: 3, at, type: "ended", reason: "agent_ended" },
    ];
    expect((await runtime.post("/api/runtime/v1/session/events", { events })).body).toEqual({ accepted_through: 3 });
    await vi.waitFor(() => expect(reported.length).toBeGreaterThan(0));
    const contact = await contactOf(who.server, path);
    expect([contact.conversation_id, contact.disposition]).toEqual([null, null]);
    await evict(env.CAMPAIGN.getByName(`${who.account}/${campaign_id}`));
    advanceClock(61_000);
    await wake(who, call_id ?? "");
    expect(await stored(who, call_id ?? "")).toEqual({ tables: [], alarm: null });
    vi.useRealTimers();
    const record = await recordOf({ ...who, call_id: call_id ?? "" });
    expect(linesOf(record)).toEqual(["user: Yes please."]);
    expect(record).toMatchObject({ campaign_id, contact_id: contact.id, disposition: "interested", complete: true });
    expect(await contactOf(who.server, path)).toMatchObject({
      conversation_id: record.id,
      disposition: "interested",
    });
  });
});

describe("a conversation that is lost in the middle", () => {
  it("continues without a duplicated or missing turn", async () => {
    const { call, socket } = await talking();
    const before = linesOf(await recordOf(call));
    await runInDurableObject(objectOf(call, call.call_id) as unknown as DurableObjectStub, (_, { storage }) =>
      storage.sql.exec("INSERT INTO open_turn (one, at, text) VALUES (1, ?, 'As I was say')", Date.now()),
    );
    socket.close(4000);
    await socket.closed;
    await evict(objectOf(call, call.call_id));
    expect(linesOf(await recordOf(call))).toEqual([...before, "agent!: As I was say"]);
    await evict(objectOf(call, call.call_id));
    expect(linesOf(await recordOf(call))).toEqual([...before, "agent!: As I was say"]);
  });
});

/** Removes the fields that the end of the call and the ledger add a moment later. */
function withoutCall({ cost: _cost, usage, ...record }: Conversation) {
  return Object.assign({}, record, { usage: Object.assign({}, usage, { carrier_s: null }) });
}

/** Returns a conversation's events once all have arrived. */
async function eventually({ account }: { account: string }, id: string, types: string[]): Promise<void> {
  const ledger = ledgerOf({ account });
  const volume = ledger.volume((await ledger.days()).at(-1) ?? "") as unknown as DurableObjectStub;
  await vi.waitFor(async () => {
    // Its alarm may be set for a simulated time.
    await runDurableObjectAlarm(volume);
    const events = env.ACCOUNT_EVENTS.getByName(account) as unknown as DurableObjectStub;
    const found = await runInDurableObject(events, (_, { storage }) =>
      storage.sql.exec<{ type: string; data: string }>("SELECT type, data FROM events ORDER BY sequence").toArray(),
    );
    const theirs = found.filter(({ data }) => JSON.parse(data).conversation_id === id);
    expect(theirs.map(({ type }) => type).filter((type) => type.startsWith("conversation."))).toEqual(types);
  });
}

/** Reads the conversation from its object. */
async function held({ account, call_id }: { account: string; call_id: string }): Promise<Conversation> {
  return (await objectOf({ account }, call_id).detail()) as unknown as Conversation;
}
