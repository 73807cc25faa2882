import { describe, expect, it } from "vitest";
import type { ConversationDetail } from "../../../src/records/conversations/record.ts";
import { caller, getCall, isOver, originate, settled } from "../../phone/calls/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import {
  type Conversation,
  campaignDoes,
  endedRow,
  events,
  held,
  LIVE,
  later,
  leftOf,
  objectDoes,
  PATH,
  type Page,
  putRows,
  TURNS,
  USAGE,
} from "./support.ts";

interface NamedCalls {
  calls: { call_id: string; conversation_id: string | null }[];
}

/** The methods of a conversation's object. */
interface Holding {
  detail: () => Promise<ConversationDetail | null>;
  events: (lastSeen: number | null) => Promise<ReadableStream>;
  erase: (id: string) => Promise<void>;
}

/** Makes the conversation's object hold this detail; records which of its methods were called. */
async function holding(who: Pick<Tenant, "account">, detail: ConversationDetail, session_key: string) {
  const requests: string[] = [];
  let now: ConversationDetail | null = detail;
  const methods: Holding = {
    detail: async () => now,
    events: async (lastSeen) => {
      requests.push(`events ${lastSeen}`);
      return new Response(`event: snapshot\ndata: {}\n\n`).body as ReadableStream;
    },
    erase: async (id) => {
      requests.push(`erase ${id}`);
      if (now?.id === id) now = null;
    },
  };
  await objectDoes(who, session_key, { ...methods });
  return requests;
}

describe("a conversation", () => {
  it("an ended conversation is shown with its turns under the documented names", async () => {
    const who = await tenant();
    const row = endedRow({ campaign_id: crypto.randomUUID(), contact_id: crypto.randomUUID(), prompt_id: "p1" });
    const id = await held(who, row);
    const { session_key, archived, revision, rates, api_key_id, ...listed } = row;
    const { analysis_status, successful, analysis_brief, disclosure, disclosed_at, ...shown } = listed;
    const disclosed = { at: disclosed_at, text: disclosure, how: "not_required" };
    const record = { ...shown, contact_name: "Ada", duration_ms: 60_000, cost: null, analysis: null, disclosed };
    for (const client of [who.user, who.server]) {
      const { status, body } = await client.get<Conversation>(`${PATH}/${id}`);
      expect([status, body]).toEqual([
        200,
        { ...record, storage: "all", opted_out: false, documents_late: false, turns: TURNS },
      ]);
    }
    const { conversations } = (await who.server.get<Page>(PATH)).body;
    expect(conversations).toEqual([record]);
    expect([archived, session_key, revision]).toEqual([true, row.call_id, 1]);
    expect([rates, api_key_id]).toEqual([null, null]);
    expect([analysis_status, successful, analysis_brief]).toEqual([null, null, null]);
  });

  it("a live conversation is shown from its object and listed as it began", async () => {
    const who = await tenant();
    const row = endedRow(LIVE);
    await putRows(who, [row]);
    const turns = TURNS.slice(0, 2);
    await holding(who, { ...row, storage: "all", turn_count: 2, turns }, row.session_key);
    const { body } = await who.user.get<Conversation>(`${PATH}/${row.id}`);
    expect(body).toMatchObject({ status: "live", duration_ms: null, turn_count: 2, turns });
    const { conversations } = (await who.user.get<Page>(PATH)).body;
    expect(conversations).toMatchObject([{ id: row.id, status: "live", turn_count: 0, duration_ms: null }]);
    const { body: text } = await who.user.get<string>(`${PATH}/${row.id}/transcript`);
    expect(text).toMatch(/\nDuration: live\n[\s\S]*Caller: Book me a table.\n$/);
  });

  it("a live conversation is streamed from its object after the last event that was seen", async () => {
    const who = await tenant();
    const row = endedRow(LIVE);
    await putRows(who, [row]);
    const requests = await holding(who, { ...row, storage: "all", turns: [] }, row.session_key);
    const stream = await events(who.user, row.id);
    expect(stream).toMatchObject({ status: 200, type: "text/event-stream", text: "event: snapshot\ndata: {}\n\n" });
    await events(who.user, row.id, "42");
    await events(who.user, row.id, "no number");
    expect(requests).toEqual(["events null", "events 42", "events null"]);
  });

  it("an ended conversation is streamed as one snapshot, but not to a reconnecting client", async () => {
    const who = await tenant();
    const id = await held(who);
    const { status, type, text } = await events(who.user, id);
    expect([status, type]).toEqual([200, "text/event-stream"]);
    const [, data = ""] = /^event: snapshot\ndata: (.*)\nid: 6\n\n$/.exec(text) ?? [];
    expect(JSON.parse(data)).toEqual((await who.user.get(`${PATH}/${id}`)).body);
    expect(await events(who.user, id, "6")).toEqual({ status: 204, type: null, text: "" });
    expect((await events(who.user, id, "0")).status).toBe(204);
  });

  it("a conversation that has just ended is read from its object until it is archived", async () => {
    const who = await tenant();
    const row = endedRow({ archived: false });
    await putRows(who, [row]);
    await holding(who, { ...row, storage: "all", turns: TURNS }, row.session_key);
    expect((await who.user.get<Conversation>(`${PATH}/${row.id}`)).body.turns).toEqual(TURNS);
    expect((await events(who.user, row.id)).text).toMatch(/^event: snapshot\n/);
    expect((await events(who.user, row.id, "1")).status).toBe(204);
  });

  it("a conversation shows the ledger's call seconds and cost while its object still answers", async () => {
    const who = await tenant();
    const measure = "carrier_s" as const;
    const rates = [{ what: "carrier/sandbox/outbound/+1", measure, unit: "minute" as const, unit_micros: 60_000 }];
    const row = endedRow({ archived: false, rates, usage: { ...USAGE, carrier_s: 90 } });
    await putRows(who, [row]);
    const usage = { ...USAGE, carrier_s: 60, output_tokens: 21 };
    await holding(who, { ...row, rates: null, usage, storage: "all", turns: TURNS }, row.session_key);
    const { body } = await who.user.get<Conversation>(`${PATH}/${row.id}`);
    expect(body.usage).toEqual({ ...USAGE, carrier_s: 90, output_tokens: 21 });
    expect(body.cost).toMatchObject({ amount_micros: 90_000, items: [{ quantity: 1.5 }] });
    const snapshot = /data: (.*)/.exec((await events(who.user, row.id)).text)?.[1] ?? "";
    expect(JSON.parse(snapshot)).toEqual(body);
  });

  it("deleting a conversation removes it from its object, R2 and the ledger, with an audit entry", async () => {
    const who = await tenant();
    const row = endedRow();
    const id = await held(who, row);
    const other = await held(who);
    const requests = await holding(who, { ...row, storage: "all", turns: [] }, row.session_key);
    expect((await who.user.delete(`${PATH}/${id}`)).status).toBe(204);
    expect([requests, await leftOf(who, id)]).toEqual([[`erase ${id}`], { file: false, row: false }]);
    expect(await leftOf(who, other)).toEqual({ file: true, row: true });
    for (const path of ["", "/transcript", "/events"])
      expect((await who.user.get(`${PATH}/${id}${path}`)).status, path).toBe(404);
    expect((await who.user.delete(`${PATH}/${id}`)).status).toBe(404);
    type Log = { entries: { action: string; resource: string; resource_id: string }[] };
    const { entries } = (await who.user.get<Log>("/api/v1/audit-log?resource=conversation")).body;
    expect(entries).toMatchObject([{ action: "delete", resource: "conversation", resource_id: id }]);
  });

  it("can be deleted while it is live without deleting a later one of the same visitor", async () => {
    const who = await tenant();
    const widget = { kind: "widget", direction: null, call_id: null, session_key: crypto.randomUUID() } as const;
    const [earlier, now] = [endedRow(widget), endedRow({ ...LIVE, ...widget, started_at: later(90_000) })];
    await held(who, earlier);
    await putRows(who, [now]);
    const requests = await holding(who, { ...now, storage: "all", turns: [] }, widget.session_key);
    expect((await who.user.delete(`${PATH}/${earlier.id}`)).status).toBe(204);
    expect([requests, await leftOf(who, earlier.id)]).toEqual([[`erase ${earlier.id}`], { file: false, row: false }]);
    expect((await who.user.get<Conversation>(`${PATH}/${now.id}`)).body.status).toBe("live");
    expect((await who.user.delete(`${PATH}/${now.id}`)).status).toBe(204);
    const both = [earlier, now].map(({ id }) => `erase ${id}`);
    expect([requests, await leftOf(who, now.id)]).toEqual([both, { file: false, row: false }]);
  });

  it("deleting a conversation unlinks it from its campaign", async () => {
    const who = await tenant();
    const row = endedRow({ campaign_id: crypto.randomUUID() });
    const id = await held(who, row);
    const reported: unknown[] = [];
    await campaignDoes(who, row.campaign_id ?? "", {
      unlinkConversations: async (...args: unknown[]) => void reported.push(args),
    });
    expect((await who.user.delete(`${PATH}/${id}`)).status).toBe(204);
    expect(reported).toEqual([[[row.call_id]]]);
  });

  it("a call names its conversation in the list, alone, and when it is hung up", async () => {
    const who = await caller();
    const [one, other] = [await originate(who, "+13035550101"), await originate(who, "+13035550101")];
    const { call_id } = one.body;
    const id = await held(who, { call_id });
    // A conversation of another account that claims the same call.
    await held(await tenant(), { call_id });
    const list = async (query: string) => (await who.server.get<NamedCalls>(`/api/v1/calls${query}`)).body.calls;
    const calls = await list("");
    const named = Object.fromEntries(calls.map((call) => [call.call_id, call.conversation_id]));
    expect(named).toEqual({ [call_id]: id, [other.body.call_id]: null });
    expect(await getCall(who.server, call_id)).toMatchObject({ conversation_id: id });
    expect(await getCall(who.server, other.body.call_id)).toMatchObject({ conversation_id: null });
    await settled(who.server, call_id, isOver);
    expect((await who.server.post(`/api/v1/calls/${call_id}/hangup`)).body).toMatchObject({ conversation_id: id });
    for (const filter of ["limit=1", "limit=1&offset=1", `agent_id=${who.agent_id}`, "status=busy"]) {
      const found = await list(`?${filter}`);
      expect(found.length, filter).toBeGreaterThan(0);
      for (const call of found) expect(call.conversation_id, filter).toBe(call.call_id === call_id ? id : null);
    }
  });
});
