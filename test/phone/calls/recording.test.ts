import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Campaign, started, until, upload } from "../../campaign/support.ts";
import type { Client, Tenant } from "../../support/client.ts";
import { onLedger } from "../../support/ledger.ts";
import { answering, NUMBER, ring } from "../inbound/support.ts";
import { type Recordings, recordingOf } from "../recordings/support.ts";
import {
  type Call,
  type Calls,
  caller,
  getCall,
  isOver,
  originate,
  report,
  sandboxOf,
  settled,
  slowly,
  withVars,
} from "./support.ts";

const SETTINGS = "/api/v1/call-settings";
const TO = "+13035550110";

const isRecorded = async (server: Client, id: string) => (await getCall(server, id)).recorded;
const recordingsOf = async (server: Client, id: string) =>
  (await server.get<Recordings>(`/api/v1/recordings?call_id=${id}`)).body.recordings;
/** Returns the calls of a campaign once all have ended. */
const callsOf = async (server: Client, path: string, n: number) =>
  until(
    async () => (await server.get<Calls>(`/api/v1/calls?campaign_id=${path.split("/").at(-1)}`)).body.calls,
    (calls) => calls.length === n && calls.every(isOver),
  );

describe("the choice of calls to record", () => {
  it("outbound calls are recorded by default unless the account says otherwise", async () => {
    const who = await caller();
    const first = (await originate(who, TO)).body;
    expect(first.recorded).toBe(true);
    await settled(who.server, first.call_id, isOver);
    const { id } = await recordingOf(who.server, first.call_id);
    expect(await getCall(who.server, first.call_id)).toMatchObject({ recorded: true, recording_id: id });

    await who.server.patch(SETTINGS, { record_outbound: false });
    const second = (await originate(who, TO)).body;
    expect(second.recorded).toBe(false);
    await settled(who.server, second.call_id, isOver);
    // Earlier recordings have already arrived, and none is expected for this call.
    expect(await recordingsOf(who.server, second.call_id)).toEqual([]);
    const [listed] = (await who.server.get<Calls>("/api/v1/calls")).body.calls;
    expect(listed).toMatchObject({ call_id: second.call_id, recorded: false, recording_id: null });
  });

  it("a call's own choice to record outweighs the account's", async () => {
    const who = await caller();
    await slowly(who);
    expect((await originate(who, TO, { record: false })).body.recorded).toBe(false);
    await who.server.patch(SETTINGS, { record_outbound: false });
    expect((await originate(who, TO, { record: true })).body.recorded).toBe(true);
  });

  it("a campaign's choice to record outweighs the account's unless it is unset", async () => {
    const who = await caller();
    const csv = "phone_number\n+13035550110\n";
    const quiet = await started(who, csv, { record: "false" });
    expect((await who.server.get<Campaign>(quiet)).body.record).toBe(false);
    expect((await callsOf(who.server, quiet, 1)).map(({ recorded }) => recorded)).toEqual([false]);
    await who.server.patch(SETTINGS, { record_outbound: false });
    const loud = await started(who, csv, { record: "true" });
    expect((await callsOf(who.server, loud, 1)).map(({ recorded }) => recorded)).toEqual([true]);
    const unset = await started(who, csv);
    expect((await who.server.get<Campaign>(unset)).body.record).toBeNull();
    expect((await callsOf(who.server, unset, 1)).map(({ recorded }) => recorded)).toEqual([false]);
    const [call] = await callsOf(who.server, quiet, 1);
    expect(await recordingsOf(who.server, call?.call_id ?? "")).toEqual([]);
  });

  it("a campaign that can still be changed accepts a choice to record", async () => {
    const who = await caller();
    const { body } = await upload(who.server, "phone_number\n+13035550110\n");
    const path = `/api/v1/campaigns/${body.id}`;
    for (const record of [true, false, null]) {
      const changed = await who.server.patch<Campaign>(path, { record });
      expect([changed.status, changed.body.record]).toEqual([200, record]);
      expect((await who.server.get<Campaign>(path)).body.record).toBe(record);
    }
  });

  it("inbound calls are not recorded unless the account says otherwise", async () => {
    const who = await answering();
    const quiet = (await ring(who)).body;
    expect(await isRecorded(who.server, quiet.call_id)).toBe(false);
    expect(quiet).toMatchObject({ recording: null });
    const changed = { record_inbound: true, recording_announcement: "Calls are recorded." };
    await who.server.patch(SETTINGS, changed);
    const loud = (await ring(who, { provider_call_id: "in-2" })).body;
    expect(await isRecorded(who.server, loud.call_id)).toBe(true);
    expect(loud).toMatchObject({ recording: { announcement: "Calls are recorded." } });
    // A carrier that asks about a call again gets the same instructions, whatever has changed since.
    await who.server.patch(SETTINGS, { record_inbound: false });
    expect((await ring(who, { provider_call_id: "in-2" })).body).toMatchObject({
      call_id: loud.call_id,
      recording: { announcement: "Calls are recorded." },
    });
  });
});

describe("the announcement", () => {
  const TEXT = `Calls are recorded & "kept".`;
  const talking = (who: Pick<Tenant, "account">) => withVars(sandboxOf(who), { SANDBOX_CONVERSATION: "on" });
  type Turns = { turns: { role: string; text: string }[] };
  const transcriptOf = async (server: Client, id: string) => {
    const { conversation_id } = await settled(server, id, (call) => isOver(call) && call.conversation_id !== null);
    const { body } = await server.get<Turns>(`/api/v1/conversations/${conversation_id}`);
    return body.turns.map(({ role, text }) => `${role}: ${text}`);
  };

  it("a recorded call begins with the announcement, before the greeting", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { greeting_message: "Hello there." });
    await talking(who);
    await who.server.patch(SETTINGS, { recording_announcement: TEXT });
    const loud = (await originate(who, TO)).body.call_id;
    expect((await transcriptOf(who.server, loud)).slice(0, 2)).toEqual([`agent: ${TEXT}`, "agent: Hello there."]);
    const quiet = (await originate(who, TO, { record: false })).body.call_id;
    expect((await transcriptOf(who.server, quiet))[0]).toBe("agent: Hello there.");
  });

  it("a recorded inbound call begins with the announcement", async () => {
    const who = await answering({ greeting_message: "Reception." });
    await talking(who);
    await who.server.patch(SETTINGS, { record_inbound: true, recording_announcement: TEXT });
    const { body } = await who.server.post<Call>("/api/v1/sandbox/calls", { to_number: NUMBER, says: ["Goodbye."] });
    expect(body.recorded).toBe(true);
    expect((await transcriptOf(who.server, body.call_id)).slice(0, 2)).toEqual([`agent: ${TEXT}`, "agent: Reception."]);
    expect(await recordingOf(who.server, body.call_id)).toMatchObject({ call_id: body.call_id });
  });

  it("a campaign's recorded call begins with the announcement", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { greeting_message: "Hello there." });
    await talking(who);
    await who.server.patch(SETTINGS, { recording_announcement: TEXT });
    const path = await started(who, "phone_number\n+13035550110\n");
    const [call] = await callsOf(who.server, path, 1);
    expect((await transcriptOf(who.server, call?.call_id ?? "")).slice(0, 2)).toEqual([
      `agent: ${TEXT}`,
      "agent: Hello there.",
    ]);
  });
});

describe("an invalid choice to record", () => {
  it.each<[string, unknown]>([
    ["a text", "yes"],
    ["null", null],
    ["a number", 1],
  ])("placing a call answers 400 if record is %s", async (_, record) => {
    const who = await caller();
    const answer = await originate(who, TO, { record });
    expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(/^record: /)]);
    expect((await who.server.get<Calls>("/api/v1/calls")).body.total).toBe(0);
  });

  it("a campaign answers 400 if record is neither true nor false", async () => {
    const who = await caller();
    const answer = await upload(who.server, "phone_number\n+13035550110\n", { record: "perhaps" });
    expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(/record: /)]);
  });
});

describe("the ring time-out", () => {
  it("a call rings as long as the account's ring time-out before it is looked up", async () => {
    const who = await caller();
    await slowly(who);
    const meter = env.ACCOUNT_METER.getByName(who.account);
    const lookAt = async (callId: string) =>
      runInDurableObject(
        meter,
        (_, { storage }) =>
          storage.sql.exec<{ at: number }>("SELECT look_at at FROM call_leases WHERE call_id = ?", callId).one().at,
      );
    for (const ring_timeout_s of [45, 120, 10]) {
      await who.server.patch(SETTINGS, { ring_timeout_s });
      const { call_id, created_at } = (await originate(who, TO)).body;
      const within = (await lookAt(call_id)) - Date.parse(created_at);
      expect(within).toBeGreaterThanOrEqual(ring_timeout_s * 1_000 + 15_000);
      expect(within).toBeLessThan(ring_timeout_s * 1_000 + 15_000 + 5_000);
      await report(who, call_id, { status: "completed" });
    }
  });
});

describe("the calls of a number", () => {
  it("the calls of a number are those to or from it, each once, newest first, a page at a time", async () => {
    const who = await caller();
    await slowly(who);
    const ids: string[] = [];
    for (const to of [TO, "+13035550111", TO, TO]) ids.unshift((await originate(who, to)).body.call_id);
    const list = async (query: string) => {
      const { body } = await who.server.get<Calls>(`/api/v1/calls?${query}`);
      return { total: body.total, ids: body.calls.map(({ call_id }) => call_id) };
    };
    const theirs = [0, 1, 3].map((n) => ids[n]);
    expect(await list(`phone_number=${encodeURIComponent(TO)}`)).toEqual({ total: 3, ids: theirs });
    expect(await list(`phone_number=${TO}`)).toEqual({ total: 3, ids: theirs });
    expect(await list(`phone_number=%2B12025550100`)).toEqual({ total: 4, ids });
    expect(await list(`phone_number=%2B12025550100&limit=2&offset=1`)).toEqual({ total: 4, ids: ids.slice(1, 3) });
    expect(await list(`phone_number=%2B13035550199`)).toEqual({ total: 0, ids: [] });
    await onLedger(who.account, "UPDATE calls SET to_number = from_number, status = 'busy' WHERE id = ?", ids[1] ?? "");
    expect(await list(`phone_number=%2B12025550100`)).toEqual({ total: 4, ids });
    expect(await list(`phone_number=%2B12025550100&status=busy&agent_id=${who.agent_id}`)).toEqual({
      total: 1,
      ids: [ids[1]],
    });
    expect(await list(`phone_number=%2B12025550100&agent_id=${crypto.randomUUID()}`)).toEqual({ total: 0, ids: [] });
  });

  it("the calls of a number are found only by an E.164 number and within the account", async () => {
    const [who, other] = [await caller(), await caller()];
    await slowly(who);
    await originate(who, TO);
    const found = await other.server.get<Calls>(`/api/v1/calls?phone_number=${encodeURIComponent(TO)}`);
    expect(found.body).toMatchObject({ calls: [], total: 0 });
    for (const wrong of ["13035550110", "x", ""])
      expect((await who.server.get(`/api/v1/calls?phone_number=${wrong}`)).status, wrong).toBe(400);
  });
});
