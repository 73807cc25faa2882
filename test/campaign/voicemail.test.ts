import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import Papa from "papaparse";
import { describe, expect, it, vi } from "vitest";
import { CallReconciliation } from "../../src/campaign/dial/call-reconciliation.ts";
import { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { takeWebhook } from "../../src/phone/calls/take-webhook.ts";
import { type Carrier, CarrierRefusal } from "../../src/phone/carriers/carrier.ts";
import { SandboxCarrier } from "../../src/phone/carriers/sandbox-carrier.ts";
import { type Caller, caller, getCall, running, sandboxOf, webhookPath, withVars } from "../phone/calls/support.ts";
import { BASE, call } from "../support/client.ts";
import { evict } from "../support/evict.ts";
import { campaignOf, report } from "./held-calls.ts";
import { type Campaign, contactOf, contactsCsv, isOver, started, until, watch } from "./support.ts";
import { LIMITS } from "./world/virtual-world.ts";

const retrying = (retry_on: string[]) => JSON.stringify({ max_attempts: 3, retry_interval_minutes: 0.0001, retry_on });
const done = ({ body }: { body: Campaign }) => body.status === "completed";

/** Runs a campaign of one contact to its end. */
async function ended(fields: Record<string, string>, suffix = "05") {
  const who = await caller();
  const path = await started(who, contactsCsv(1, suffix), fields);
  await until(() => who.server.get<Campaign>(path), done);
  await until(
    () => running(who.server),
    (n) => n === 0,
  );
  return { who, path, contact: await contactOf(who.server, path) };
}

/**
 * Creates a campaign of one contact whose call was answered and continues until the test ends it. In the sandbox, a
 * message takes an hour, and no machine is reported unless the test reports it.
 */
async function answered({ suffix = "05", ...fields }: Record<string, string> = {}) {
  const who = await caller();
  const agent = { greeting_message: "Hello {{name}}, this is {{agent_name}} of {{account_name|us}}." };
  await who.server.patch(`/api/v1/agents/${who.agent_id}`, agent);
  await withVars(sandboxOf(who), { SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "7200000" });
  const path = await started(who, contactsCsv(1, suffix), { voicemail: "leave_message", ...fields });
  const contact = await until(
    () => contactOf(who.server, path),
    ({ status }) => status === "connected",
  );
  const callId = String(contact.attempts[0]?.call_id);
  const reportEvent = (event: Record<string, unknown>) =>
    report(who, path, callId, { status: "in-progress", ...event });
  const machine = (machine = "recording") => reportEvent({ answered_by: "machine", machine });
  const messageIs = (state: string | null) =>
    until(
      () => stored(who, path, `SELECT message FROM attempts WHERE call_id = '${callId}'`),
      ([row]) => row?.message === state,
    );
  return { who, path, callId, reportEvent, machine, messageIs, contact: () => contactOf(who.server, path) };
}

/** Reads rows of the campaign's own storage. */
function stored({ account }: Caller, path: string, sql: string): Promise<Record<string, unknown>[]> {
  return runInDurableObject(campaignOf({ account } as Caller, path), (_, { storage }) =>
    storage.sql.exec(sql).toArray(),
  );
}

/** Changes the campaign's storage and runs its alarm. */
async function change(who: Caller, path: string, sql: string): Promise<void> {
  await runInDurableObject(campaignOf(who, path), async (campaign, { storage }) => {
    storage.sql.exec(sql);
    await campaign.wake();
  });
}

const LATE = "UPDATE attempts SET message_until = 1 WHERE message_until IS NOT NULL";

describe("a call answered by a machine", () => {
  it("a call answered by a machine is hung up, and retried only if retry_on includes machine", async () => {
    const { contact } = await ended({ retry_config: retrying(["busy"]) });
    expect(contact).toMatchObject({ status: "failed", outcome: "machine", attempt_count: 1 });
    expect(contact.attempts).toMatchObject([{ outcome: "machine", message_left: false }]);
    const named = await ended({ retry_config: retrying(["machine"]), voicemail: "hang_up" });
    expect(named.contact).toMatchObject({ outcome: "machine", attempt_count: 3 });
  });

  it("voicemail retry calls again regardless of retry_on", async () => {
    const { who, path, contact } = await ended({ retry_config: retrying([]), voicemail: "retry" });
    expect(contact).toMatchObject({ status: "failed", outcome: "machine", attempt_count: 3 });
    expect((await who.server.get<Campaign>(path)).body.voicemail).toBe("retry");
    const once = await ended({ voicemail: "retry" });
    expect(once.contact.attempt_count).toBe(1);
    const busy = await ended({ retry_config: retrying([]), voicemail: "retry" }, "01");
    expect(busy.contact).toMatchObject({ outcome: "busy", attempt_count: 1 });
  });

  it("leaves the greeting with voicemail leave_message, which finishes the contact", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { greeting_message: "Please call us back." });
    const fields = { retry_config: retrying(["machine"]), voicemail: "leave_message" };
    const path = await started(who, `${contactsCsv(1, "05")}+13035550110,Ann\n`, fields);
    const events = await watch(who.server, path.split("/").at(-1) ?? "", isOver);
    const contact = await contactOf(who.server, path);
    const failed = { status: "failed", outcome: "machine", failure_reason: "message_left", attempt_count: 1 };
    expect(contact).toMatchObject({ ...failed, next_attempt_at: null, waiting_for: null });
    expect(contact.attempts).toMatchObject([{ outcome: "machine", reason: "message_left", message_left: true }]);
    expect((await contactOf(who.server, path, 1)).outcome).toBe("answered");

    const own = events.filter(({ data }) => data.contact_id === contact.id);
    expect(own.map(({ event, data }) => [event, data.reason])).toEqual([
      ["originated", null],
      ["connected", null],
      ["failed", "message_left"],
    ]);
    const call = await until(
      () => getCall(who.server, contact.call_id ?? ""),
      ({ ended_at }) => ended_at !== null,
    );
    expect(call).toMatchObject({ status: "completed", end_reason: "machine", metadata: { message_left: true } });
    const csv = (await who.server.get<string>(`${path}/export`)).body;
    const { data } = Papa.parse(csv, { header: true, skipEmptyLines: true });
    expect(data).toMatchObject([{ outcome: "machine", failure_reason: "message_left" }, { outcome: "answered" }]);
    expect(await running(who.server)).toBe(0);
  });

  it("has the outcome machine with voicemail continue, if the agent talked to it to the end", async () => {
    const { machine, reportEvent, contact } = await answered({ voicemail: "continue" });
    await machine();
    expect(await contact()).toMatchObject({ status: "connected" });
    await reportEvent({ status: "completed" });
    expect(await contact()).toMatchObject({ status: "failed", outcome: "machine" });
  });

  it("a machine's call is hung up if the agent has no greeting or the carrier cannot leave messages", async () => {
    const silent = await ended({ voicemail: "leave_message" });
    expect(silent.contact).toMatchObject({ outcome: "machine", failure_reason: "machine", attempt_count: 1 });
    const { who, path, machine, contact } = await answered({ suffix: "06", retry_config: retrying(["machine"]) });
    await machine();
    const again = await until(contact, ({ attempt_count }) => attempt_count === 2);
    expect(again.attempts[0]).toMatchObject({ outcome: "machine", message_left: false });
    const [first] = again.attempts;
    expect((await sandboxOf(who).look(String(first?.call_id)))?.status).toBe("completed");
    await who.server.post(`${path}/stop`);
  });
});

describe("a call that leaves a message", () => {
  it("a message's call is hung up as soon as its carrier refuses the message", async () => {
    const { who, path, callId, machine, messageIs } = await answered();
    let isLet = false;
    const carrier = vi.spyOn(SandboxCarrier.prototype, "leaveMessage").mockImplementation(async () => {
      while (!isLet) await scheduler.wait(5);
      return false;
    });
    await machine();
    await messageIs("asked");
    // The round that the report causes finds no work.
    await campaignOf(who, path).wake();
    await runDurableObjectAlarm(campaignOf(who, path));
    isLet = true;
    // The call would otherwise be reconciled much later.
    await vi.waitFor(async () => expect(await running(who.server)).toBe(0), { interval: 20 });
    expect((await sandboxOf(who).look(callId))?.reason).toBe("hangup");
    carrier.mockRestore();
  });

  it("speaks the greeting rendered for the contact, and keeps its slot until it ends", async () => {
    const { who, path, callId, machine, messageIs, contact } = await answered();
    expect(await campaignOf(who, path).machineMessage(callId)).toBeNull();
    await machine();
    await messageIs("left");
    expect(await campaignOf(who, path).machineMessage(callId)).toEqual({
      text: expect.stringMatching(/^Hello Person 0, this is Caller of .+\.$/),
      language: "en-US",
      before: null,
    });
    expect(await contact()).toMatchObject({ status: "connected", outcome: null });
    expect(await running(who.server)).toBe(1);
    await until(
      () => getCall(who.server, callId),
      ({ status }) => status === "in-progress",
    );
    expect((await who.server.post(`/api/v1/calls/${callId}/hangup`)).body).toMatchObject({ status: "completed" });
    await until(() => who.server.get<Campaign>(path), done);
    expect(await contact()).toMatchObject({ status: "failed", failure_reason: "message_left" });
    expect(await running(who.server)).toBe(0);
    expect(await campaignOf(who, path).machineMessage(callId)).toBeNull();
  });

  it("a message's call is hung up when the message takes too long", async () => {
    const { who, path, callId, machine, messageIs, contact } = await answered();
    await machine();
    await messageIs("left");
    const [row] = await stored(who, path, "SELECT message_until FROM attempts");
    expect(Number(row?.message_until) - Date.now()).toBeLessThan(80_000);
    await change(who, path, LATE);
    await until(() => who.server.get<Campaign>(path), done);
    expect(await contact()).toMatchObject({ outcome: "machine", failure_reason: "message_left" });
    await until(
      () => running(who.server),
      (n) => n === 0,
    );
    expect((await sandboxOf(who).look(callId))?.reason).toBe("hangup");
  });

  it("may last as long as its text takes to speak", async () => {
    const untilFor = async (greeting_message: string) => {
      const { who, path, callId, machine, messageIs } = await answered();
      await who.server.patch(`/api/v1/agents/${who.agent_id}`, { greeting_message });
      const before = Date.now();
      await machine();
      await messageIs("left");
      const [row] = await stored(who, path, `SELECT message_until until FROM attempts WHERE call_id = '${callId}'`);
      return Number(row?.until) - before;
    };
    expect(await untilFor("Hello.")).toBeGreaterThan(60_000);
    // The message takes about five minutes.
    expect(await untilFor("Please call us back. ".repeat(200))).toBeGreaterThan(300_000);
  });

  it("waits for the end of the machine's greeting, and hangs up if it never ends", async () => {
    const { who, path, machine, messageIs, contact } = await answered();
    await machine("greeting");
    await machine("greeting");
    await messageIs("greeting");
    expect(await contact()).toMatchObject({ status: "connected" });
    await machine("recording");
    await messageIs("left");
    const other = await answered();
    await other.machine("greeting");
    await change(other.who, other.path, LATE);
    await until(() => other.who.server.get<Campaign>(other.path), done);
    expect(await other.contact()).toMatchObject({ outcome: "machine", failure_reason: "machine" });
    await who.server.post(`${path}/pause`);
    // The calls of a deleted campaign must be over, because no object would reconcile them.
    expect((await who.server.delete(path)).status).toBe(204);
    expect(await running(who.server)).toBe(0);
  });

  it("starts the message once, however often the machine is reported", async () => {
    const { who, path, callId, reportEvent, machine, messageIs, contact } = await answered();
    await reportEvent({ answered_by: "human" });
    await machine();
    await messageIs("left");
    await machine();
    await reportEvent({ answered_by: "human" });
    await machine("greeting");
    await messageIs("left");
    await reportEvent({ status: "completed", reason: "normal_clearing" });
    await machine();
    await reportEvent({ answered_by: "human" });
    await until(() => who.server.get<Campaign>(path), done);
    expect(await contact()).toMatchObject({ failure_reason: "message_left", attempt_count: 1 });
    const log = await stored(who, path, `SELECT event, reason FROM log WHERE call_id = '${callId}' ORDER BY seq`);
    expect(log.map(({ event, reason }) => [event, reason])).toEqual([
      ["originated", null],
      ["connected", null],
      ["failed", "message_left"],
    ]);
  });

  it("leaves no message if the machine records nothing or is reported after the end", async () => {
    const fax = await answered();
    await fax.machine("no_voicemail");
    await until(() => fax.who.server.get<Campaign>(fax.path), done);
    expect(await fax.contact()).toMatchObject({ outcome: "machine", failure_reason: "machine" });
    const late = await answered({ retry_config: retrying(["machine"]) });
    // Another contact waits, so that the campaign continues.
    await change(late.who, late.path, "UPDATE campaign SET pending = pending + 1");
    await late.reportEvent({ status: "completed" });
    expect(await late.contact()).toMatchObject({ status: "completed" });
    await late.machine();
    const again = await until(late.contact, ({ attempt_count }) => attempt_count === 2);
    expect(again.attempts[0]).toMatchObject({ outcome: "machine", message_left: false });
  });
});

describe("a message of unknown outcome", () => {
  const rename = (who: Caller, from: string, to: string) =>
    runInDurableObject(sandboxOf(who), (_, { storage }) => storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`));

  it("a message of unknown outcome is neither cut off nor repeated", async () => {
    const { who, path, machine, messageIs, contact } = await answered({ retry_config: retrying(["machine"]) });
    await rename(who, "calls", "away");
    await machine();
    await messageIs("asked");
    expect(await contact()).toMatchObject({ status: "connected" });
    await change(who, path, LATE);
    await until(() => who.server.get<Campaign>(path), done);
    const failed = { status: "failed", outcome: "machine", failure_reason: "message_in_doubt", attempt_count: 1 };
    expect(await contact()).toMatchObject({ ...failed, attempts: [{ message_left: false }] });
    expect(await running(who.server), "its slot is kept until it is hung up").toBe(1);
    await rename(who, "away", "calls");
    await change(who, path, "UPDATE attempts SET hangup_at = 1 WHERE hangup = 1");
    await until(
      () => running(who.server),
      (n) => n === 0,
    );
  });

  it("a message is left if the process died before the request, and hung up if it died after", async () => {
    for (const [state, reason] of [
      ["due", "message_left"],
      ["asked", "message_in_doubt"],
    ]) {
      const { who, path, callId, messageIs, contact } = await answered();
      const until_ = Date.now() + 60_000;
      await change(who, path, `UPDATE attempts SET message = '${state}', message_until = ${until_}`);
      await evict(campaignOf(who, path));
      await messageIs(state === "due" ? "left" : "asked");
      await change(who, path, LATE);
      await until(() => who.server.get<Campaign>(path), done);
      expect(await contact()).toMatchObject({ outcome: "machine", failure_reason: reason });
      await until(
        () => running(who.server),
        (n) => n === 0,
      );
      expect((await sandboxOf(who).look(callId))?.status).toBe("completed");
    }
  });
});

describe("the message that a carrier fetches", () => {
  it.each(["speaks it", "refuses"])(
    "a deleted campaign's message cannot be fetched while the carrier %s",
    async (how) => {
      const { who, path, machine, messageIs } = await answered();
      await machine("greeting");
      await messageIs("greeting");
      await runInDurableObject(campaignOf(who, path), async (_, { storage }) => {
        storage.sql.exec("UPDATE attempts SET message = 'due'");
        const store = new CampaignStore(storage, () => undefined, MINUTE_MS);
        const leaveMessage = vi.fn(async () => {
          await storage.deleteAll();
          store.campaign.unload();
          if (how === "refuses") throw new CarrierRefusal("rejected", "no");
        });
        const message = { text: "Hello.", language: "en-US", relay: false, instructions_url: "" };
        const calls = new CallReconciliation(store, {
          now: Date.now,
          limits: LIMITS,
          carrierOf: async () => ({ leaveMessage }) as Partial<Carrier> as Carrier,
          machineMessage: async () => message,
          machineAnswered: async () => undefined,
          recorded: async () => undefined,
        });
        expect(await calls.messages()).toBe(1);
        expect(leaveMessage).toHaveBeenCalledTimes(1);
      });
    },
  );

  it("a message is served only to the carrier of a call whose message is being left", async () => {
    const { who, path, callId, machine, messageIs } = await answered();
    const address = `${await webhookPath(who, callId, path.split("/").at(-1))}&message=1`;
    const unsigned = await call("POST", address, { headers: { "content-type": "application/json" }, raw: "{}" });
    expect([unsigned.status, unsigned.code]).toEqual([403, "forged_webhook"]);
    const fetched = () => report(who, path, callId, { status: "in-progress" }, "&message=1");
    const early = await fetched();
    expect([early.status, early.code]).toEqual([403, "message_not_asked"]);
    await machine();
    await messageIs("left");
    // The sandbox fetches nothing by itself and has no document for it.
    expect((await fetched()).status).toBe(204);
  });

  it("leaves the call alone when the carrier asks for the next step during the message", async () => {
    const { who, path, callId, machine, messageIs } = await answered();
    const { account } = who;
    const campaign = path.split("/").at(-1) ?? "";
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    const results: unknown[] = [];
    const carrier = {
      answer: async (_: unknown, next: () => Promise<unknown>) => {
        results.push(await next());
        return null;
      },
    } as unknown as Carrier;
    const asks = () =>
      takeWebhook(
        { env, store, now: Date.now() },
        {
          provider: "twilio",
          account,
          call_id: callId,
          campaign,
          credentials: null,
          token: "",
          transfer: null,
          message: false,
        },
        {
          carrier,
          credentials_id: null,
          events: [],
          webhook: { method: "POST", url: BASE, headers: new Headers(), body: "" },
        },
      );
    await asks();
    await machine();
    await messageIs("left");
    await asks();
    expect(results).toEqual([expect.objectContaining({ call_id: callId }), "leaving_message"]);
  });
});
