import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { contactId } from "../../src/campaign/contact-id.ts";
import { lineReportOf } from "../../src/campaign/outbox/line-report.ts";
import { correctContact } from "../../src/campaign/repair/correct.ts";
import { withDefaults } from "../../src/campaign/settings.ts";
import { beginCall, callPlaced, postponeCall, takeCallEvent } from "../../src/campaign/store/call-transitions.ts";
import { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { operate } from "../../src/campaign/store/campaign-transitions.ts";
import { addBatch, beginImport, finishImport, settleImport } from "../../src/campaign/store/import-transitions.ts";
import { messageLeft, messageRequested } from "../../src/campaign/store/message-transitions.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import type { CallEvent } from "../../src/phone/carriers/carrier.ts";
import { type Client, tenant } from "../support/client.ts";
import { newId } from "../support/ids.ts";
import { contactOf, contactsCsv, isOver, ready, upload, watch } from "./support.ts";

const LIMITS = { ring: 30_000, duration: 120_000 };
const PERSON = { actor: "console:ada", request_id: "r" };
const START = Date.parse("2026-11-23T09:00:00.000Z");

/** Creates a running campaign of one contact with one call that has just begun. */
function scene(storage: DurableObjectStorage) {
  const id = newId();
  const callId = newId(START);
  const settings = { ...withDefaults({ from_number: "+12025550100" }, "Test"), voicemail: "leave_message" as const };
  const store = new CampaignStore(storage, () => {}, MINUTE_MS);
  beginImport(
    store,
    { id, account: "a", settings: JSON.stringify(settings), created_by: "t", created_at: START },
    PERSON,
  );
  const contact = { line: 2, phone_number: "+13035550110", timezone: null, variables: ["Ada"] };
  addBatch(store, { contacts: [contact], rejects: [] }, START);
  Array.from(settleImport(store, () => START));
  finishImport(store, settings, ["name"], START, { names: ["phone_number"], phone: 0, extra: 0 });
  operate(store, "start", PERSON, START);
  const [row] = store.contacts.due([0], 1, START);
  if (!row) throw new Error("nobody is due");
  const line = {
    provider: "sandbox",
    from_number: "+12025550100",
    credentials_id: null,
    agent_id: "agent",
    pinned_version: null,
    disclosure: null,
    recorded: 1,
  };
  beginCall(store, row, callId, line, LIMITS, START);
  const report = (status: CallEvent["status"], more: Partial<CallEvent> = {}) => {
    const event: CallEvent = { status, provider_call_id: null, answered_by: null, reason: "", recording: null };
    takeCallEvent(store, callId, Object.assign(event, more), LIMITS, START + 5_000);
  };
  const reported = () => {
    const found = lineReportOf(store, callId);
    if (!found) throw new Error("the campaign lost its call");
    return found;
  };
  return { id, callId, store, report, reported };
}

const inObject = <T>(work: (storage: DurableObjectStorage) => T) =>
  runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), (_, { storage }) => work(storage));

describe("the report of a campaign's call to the ledger", () => {
  it("contains the call as it was placed, its contact and the contact's columns", async () => {
    await inObject((storage) => {
      const { id, callId, store, reported } = scene(storage);
      expect(reported()).toEqual({
        part: "line",
        id: callId,
        revision: 1,
        line: {
          direction: "outbound",
          status: "queued",
          agent_id: "agent",
          agent_version: null,
          campaign_id: id,
          contact_id: contactId(id, 1),
          api_key_id: null,
          from_number: "+12025550100",
          to_number: "+13035550110",
          provider: "sandbox",
          credentials_id: null,
          provider_call_id: null,
          end_reason: null,
          started_at: "2026-11-23T09:00:00.000Z",
          connected_at: null,
          ended_at: null,
          disclosure: null,
          recorded: true,
          voicemail: null,
          message: null,
          message_until: null,
          metadata: {},
          variables: { name: "Ada" },
          own_metadata: {},
        },
      });
      expect(lineReportOf(store, newId())).toBeNull();
    });
  });

  it("has a higher revision whenever its content changes, and is sent until that revision is accepted", async () => {
    await inObject((storage) => {
      const { callId, store, report, reported } = scene(storage);
      const earlier: string[] = [];
      let revision = 0;
      const expectNewReport = (what: string) => {
        const now = reported();
        expect(now.revision, what).toBeGreaterThan(revision);
        expect(earlier, what).not.toContain(JSON.stringify(now.line));
        earlier.push(JSON.stringify(now.line));
        store.attempts.markReported([{ call_id: callId, revision }]);
        expect(store.attempts.owes, what).toBe(true);
        store.attempts.markReported([{ call_id: callId, revision: now.revision }]);
        expect(store.attempts.owes, what).toBe(false);
        revision = now.revision;
      };
      expectNewReport("begun");
      callPlaced(store, callId, "CA1", START);
      expectNewReport("placed");
      report("ringing");
      expectNewReport("ringing");
      report("in-progress");
      expectNewReport("connected");
      report("in-progress", { answered_by: "machine", machine: "recording" });
      expect(messageRequested(store, callId, "Hello", START + 6_000)).toBe(true);
      report("completed");
      expectNewReport("over");
      messageLeft(store, callId, START + 7_000);
      expectNewReport("message left");
      expect(reported().line).toMatchObject({ end_reason: "machine", metadata: { message_left: true } });
    });
  });

  it("keeps the carrier's ID that the first event named before the carrier's response", async () => {
    await inObject((storage) => {
      const { callId, store, report, reported } = scene(storage);
      report("ringing", { provider_call_id: "call-1" });
      callPlaced(store, callId, "request-1", START + 6_000);
      expect(reported().line).toMatchObject({ provider_call_id: "call-1", status: "ringing" });
    });
  });

  it("keeps the number and the columns that the call was placed with, however late it changes", async () => {
    await inObject((storage) => {
      const { id, callId, store, reported } = scene(storage);
      callPlaced(store, callId, "CA1", START);
      postponeCall(store, callId, "carrier_rate", 0, START + 1_000);
      store.attempts.markReported([reported()].map(({ id: call_id, revision }) => ({ call_id, revision })));
      operate(store, "pause", PERSON, START + 2_000);
      const correction = { phone_number: "+13035550199", variables: { name: "Grace" } };
      correctContact({ store, now: () => START + 3_000 }, { id: contactId(id, 1), correction, author: PERSON });
      store.attempts.update(callId, { provider_call_id: "CA2" });
      expect(reported().line).toMatchObject({ to_number: "+13035550110", variables: { name: "Ada" } });
    });
  });

  it("can be requested from the campaign", async () => {
    const who = await tenant();
    const { id } = (await upload(who.server, contactsCsv(1), await ready(who))).body;
    const watching = watch(who.server, id, isOver);
    await who.server.post(`/api/v1/campaigns/${id}/start`);
    await watching;
    const { call_id } = await contact(who.server, id);
    const campaign = env.CAMPAIGN.getByName(`${who.account}/${id}`);
    expect(await campaign.lineReport(call_id)).toMatchObject({ id: call_id, line: { status: "completed" } });
    expect(await campaign.lineReport(newId())).toBeNull();
    expect(await env.CAMPAIGN.getByName(`${who.account}/${newId()}`).lineReport(call_id)).toBeNull();
  });
});

async function contact(server: Client, id: string): Promise<{ call_id: string }> {
  return { call_id: String((await contactOf(server, `/api/v1/campaigns/${id}`)).call_id) };
}
