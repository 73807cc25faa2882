import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { accountMeter } from "../../../src/kernel/durable/objects.ts";
import { hangUpCall } from "../../../src/phone/calls/hang-up.ts";
import { transferCall } from "../../../src/phone/calls/transfer-call.ts";
import { eraseNumber } from "../../../src/phone/do-not-call/erase-number.ts";
import type { CallLine } from "../../../src/records/ledger/report.ts";
import { contactOf, contactsCsv, until, upload } from "../../campaign/support.ts";
import type { Client, Tenant } from "../../support/client.ts";
import { onLedger, putCall } from "../../support/ledger.ts";
import { caller, getCall, originate, running, setCaps, setTargets, settled, slowly } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const OURS = "+12025550100";
const THEIRS = "+13035550110";
const TARGET = "+12025550177";
const OTHER = "+13035550177";

interface CarrierRequest {
  method: string;
  path: string;
  document: string;
}
type Answers = (request: CarrierRequest) => Response | Promise<Response>;
const callIs = (status: string) => Response.json({ sid: "CA1", status });
const refuses = () => Response.json({ code: 21220, message: "Call is not in-progress" }, { status: 400 });

/** Simulates Twilio, and records its requests. */
function twilio(answers: Answers = () => callIs("in-progress")): CarrierRequest[] {
  const requests: CarrierRequest[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { host, pathname } = new URL(String(input));
    if (host !== "api.twilio.com") throw new TypeError(`nobody is to be asked but Twilio: ${host}`);
    const document = new URLSearchParams(String(init?.body ?? "")).get("Twiml") ?? "";
    requests.push({ method: init?.method ?? "GET", path: pathname, document });
    return answers({ method: init?.method ?? "GET", path: pathname, document });
  });
  return requests;
}
const transferRequest = {
  method: "POST",
  path: "/2010-04-01/Accounts/AC1/Calls/CA1.json",
  document: `<?xml version="1.0" encoding="UTF-8"?><Response><Dial callerId="${OURS}">${TARGET}</Dial></Response>`,
};

const CREDENTIALS = {
  twilio: { account_sid: "AC1", auth_token: "s" },
  signalwire: { space: "example", project_id: "P", api_token: "t", signing_key: "s" },
  plivo: { auth_id: "MA1", auth_token: "s" },
};

async function credentialsOf(server: Client, provider: keyof typeof CREDENTIALS): Promise<string> {
  const credentials = CREDENTIALS[provider];
  const created = await server.post<{ id: string }>("/api/v1/telephony/providers", { provider, credentials });
  expect(created.status).toBe(201);
  return created.body.id;
}

/** Creates an account that can place calls and whose agent may transfer callers. */
async function transferring() {
  const who = await caller();
  await setTargets(who, { Desk: TARGET, Ours: OURS, Theirs: THEIRS });
  return who;
}

const contextOf = ({ account }: Pick<Tenant, "account">) => ({
  env,
  store: accountStore(env, account, { actor: "test", request_id: "" }),
  now: Date.now(),
});

/** Records a call, answered by default. */
async function onRecord(row: Partial<CallLine> = {}, provider: keyof typeof CREDENTIALS = "twilio") {
  const who = await transferring();
  const credentials_id = await credentialsOf(who.server, provider);
  const context = contextOf(who);
  const talking = { status: "in-progress", connected_at: new Date().toISOString(), provider_call_id: "CA1" };
  const id = await putCall(who.account, {
    ...talking,
    agent_id: who.agent_id,
    from_number: OURS,
    to_number: THEIRS,
    provider,
    credentials_id,
    ...row,
  });
  return { ...who, context, id, agentId: who.agent_id };
}

/** Returns the audited actions on the call. */
async function audited(server: Client, id: string): Promise<string[]> {
  type Log = { entries: { action: string; resource: string; resource_id: string }[] };
  const { entries } = (await server.get<Log>("/api/v1/audit-log?resource=call")).body;
  return entries.filter(({ resource_id }) => resource_id === id).map(({ action }) => action);
}

describe("a transfer", () => {
  it("hands over a call at its carrier under the account's own number, and is recorded", async () => {
    const requests = twilio();
    const { context, id, agentId, server } = await onRecord();
    await transferCall(context, { callId: id, agentId, toNumber: TARGET });
    expect(requests).toEqual([transferRequest]);
    expect(await audited(server, id)).toEqual(["transfer"]);
    expect(await getCall(server, id)).toMatchObject({ status: "in-progress", ended_at: null });
  });

  it("a transfer of an inbound call shows the number that was called", async () => {
    const requests = twilio();
    const { context, id, agentId } = await onRecord({ direction: "inbound", from_number: THEIRS, to_number: OURS });
    await transferCall(context, { callId: id, agentId, toNumber: TARGET });
    expect(requests).toEqual([transferRequest]);
  });

  it.each([OTHER, "+12025550178"])("a transfer to %s goes nowhere if the agent has no such target", async (number) => {
    const requests = twilio();
    const { context, id, agentId, server } = await onRecord();
    const refused = { status: 403, code: "not_a_target" };
    await expect(transferCall(context, { callId: id, agentId, toNumber: number })).rejects.toMatchObject(refused);
    // Another account's agent has no targets here.
    const foreign = (await transferring()).agent_id;
    await expect(transferCall(context, { callId: id, agentId: foreign, toNumber: TARGET })).rejects.toMatchObject(
      refused,
    );
    expect(requests).toEqual([]);
    expect(await audited(server, id)).toEqual([]);
  });

  it("uses the agent's targets of that moment", async () => {
    const requests = twilio();
    const { agent_id, context, id, agentId, server } = await onRecord();
    await setTargets({ server, agent_id }, { Desk: OTHER });
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      code: "not_a_target",
    });
    await setTargets({ server, agent_id }, { Desk: TARGET });
    await transferCall(context, { callId: id, agentId, toNumber: TARGET });
    expect(requests).toEqual([transferRequest]);
  });

  it("does not go to a number on the do-not-call list", async () => {
    const requests = twilio();
    const { context, id, agentId, server } = await onRecord();
    expect((await server.post("/api/v1/do-not-call", { numbers: [TARGET] })).status).toBe(201);
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 403,
      code: "do_not_call",
    });
    expect(requests).toEqual([]);
  });

  it("does not go to an erased person's number that had opted out", async () => {
    const requests = twilio();
    const { context, id, agentId, server } = await onRecord();
    expect((await server.post("/api/v1/do-not-call", { numbers: [TARGET] })).status).toBe(201);
    expect(await eraseNumber(context, TARGET)).toBe(1);
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 403,
      code: "do_not_call",
    });
    expect(requests).toEqual([]);
  });

  it("does not go to a destination that the account does not allow", async () => {
    const requests = twilio();
    const { context, id, agentId, server } = await onRecord();
    await server.patch("/api/v1/call-settings", { allowed_destinations: ["+49"] });
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 403,
      code: "destination_not_allowed",
    });
    await server.patch("/api/v1/call-settings", { allowed_destinations: ["+49", "+1"] });
    await transferCall(context, { callId: id, agentId, toNumber: TARGET });
    expect(requests).toEqual([transferRequest]);
  });

  it("takes a lease for the transferred leg, until the call ends", async () => {
    twilio();
    const { account, context, id, agentId, server } = await onRecord();
    await setCaps(account, { concurrent_calls: 1 });
    await transferCall(context, { callId: id, agentId, toNumber: TARGET });
    expect(await running(server)).toBe(1);
    await accountMeter(env, account).release([id]);
    expect(await running(server)).toBe(0);
  });

  it("a transfer beyond the caps is refused without a request to the carrier", async () => {
    const requests = twilio();
    const { account, context, id, agentId, server } = await onRecord();
    await setCaps(account, { concurrent_calls: 1 });
    await accountMeter(env, account).lease(id, 60_000);
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 429,
      code: "concurrent_calls_cap",
    });
    expect(requests).toEqual([]);
    expect(await running(server)).toBe(1);
  });

  it.each([
    ["returns its lease if the carrier refuses it", 400, 0],
    ["keeps its lease if the carrier's answer is unclear", 503, 1],
  ])("a transfer %s", async (_, status, left) => {
    twilio(({ method }) => (method === "GET" ? callIs("in-progress") : Response.json({}, { status })));
    const { account, context, id, agentId, server } = await onRecord();
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 500,
    });
    expect(await running(server)).toBe(left);
    await accountMeter(env, account).release([id]);
    expect(await running(server)).toBe(0);
  });

  it("a transfer of a call whose answer was not reported depends on the carrier's answer", async () => {
    let status = "ringing";
    const requests = twilio(() => callIs(status));
    const { context, id, agentId, server } = await onRecord({ status: "ringing", connected_at: null });
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 409,
      code: "call_not_answered",
    });
    expect(await audited(server, id)).toEqual([]);
    status = "completed";
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 409,
      code: "call_over",
    });
    expect(requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
    status = "in-progress";
    await transferCall(context, { callId: id, agentId, toNumber: TARGET });
    expect(requests.at(-1)).toEqual(transferRequest);
  });

  it.each([OURS, THEIRS])("a transfer to %s, which is on the call already, is refused", async (number) => {
    const requests = twilio();
    const { context, id, agentId } = await onRecord();
    await expect(transferCall(context, { callId: id, agentId, toNumber: number })).rejects.toMatchObject({
      status: 400,
      code: "already_on_call",
    });
    expect(requests).toEqual([]);
  });

  it("a transfer is refused for a call that is over, unknown or another account's", async () => {
    const requests = twilio();
    const { context, id, agentId, server } = await onRecord({
      status: "completed",
      ended_at: new Date().toISOString(),
    });
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 409,
      code: "call_over",
    });
    const unknown = transferCall(context, { callId: crypto.randomUUID(), agentId, toNumber: TARGET });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: "not_found" });
    const other = await transferring();
    const foreign = transferCall(contextOf(other), { callId: id, agentId: other.agent_id, toNumber: TARGET });
    await expect(foreign).rejects.toMatchObject({ status: 404, code: "not_found" });
    expect(requests).toEqual([]);
    expect(await audited(server, id)).toEqual([]);
  });

  it("a transfer is refused if the call's credentials were deleted", async () => {
    const { context, id, agentId } = await onRecord({ credentials_id: crypto.randomUUID() });
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 409,
      code: "credentials_gone",
    });
  });

  const failures: [what: string, answers: Answers, error: object][] = [
    [
      "says no",
      ({ method }) => (method === "GET" ? callIs("in-progress") : refuses()),
      { status: 500, code: "carrier_rejected" },
    ],
    [
      "says that the caller has just hung up",
      ({ method }) => (method === "GET" ? callIs("completed") : refuses()),
      { status: 409, code: "call_over" },
    ],
    ["does not take the credentials", () => new Response("", { status: 401 }), { status: 500, code: "carrier_auth" }],
    ["does not say", () => new Response("", { status: 503 }), { status: 500, code: "carrier_unknown" }],
  ];
  it.each(failures)("a transfer fails with the carrier's reason if the carrier %s", async (_, answers, error) => {
    const requests = twilio(answers);
    const { context, id, agentId, server } = await onRecord();
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject(error);
    expect(requests.filter(({ method }) => method === "POST")).toEqual([transferRequest]);
    expect(await audited(server, id)).toEqual(["transfer"]);
  });
});

/** Creates a campaign with one call in progress. */
async function campaigning() {
  const who = await transferring();
  const { agent_id, from_number } = who;
  const created = await upload(who.server, contactsCsv(1), { agent_id, from_number });
  const path = `/api/v1/campaigns/${created.body.id}`;
  // Done directly before the start, because an idle object is evicted together with its variables.
  await slowly(who, { SANDBOX_RING_MS: "1" });
  expect((await who.server.post(`${path}/start`)).status).toBe(200);
  const campaign = path.split("/").at(-1) ?? "";
  const { attempts } = await until(
    () => contactOf(who.server, path),
    ({ status }) => status === "connected",
  );
  const id = String(attempts[0]?.call_id);
  await settled(who.server, id, ({ status }) => status === "in-progress");
  return { ...who, campaign, id, agentId: agent_id, context: contextOf(who) };
}

/** Removes the call from the ledger. After everything was reported, no further report follows. */
async function unlist({ account, campaign }: { account: string; campaign: string }, id: string): Promise<void> {
  const object = env.CAMPAIGN.getByName(`${account}/${campaign}`);
  await vi.waitFor(async () => {
    const untold = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec("SELECT call_id FROM attempts WHERE unreported = 1").toArray(),
    );
    expect(untold).toEqual([]);
  }, 60_000);
  await onLedger(account, "DELETE FROM calls WHERE id = ?", id);
}

/** Makes the campaign call by Twilio. */
async function movedToTwilio({ server, account, campaign }: { server: Client; account: string; campaign: string }) {
  const credentials_id = await credentialsOf(server, "twilio");
  await runInDurableObject(env.CAMPAIGN.getByName(`${account}/${campaign}`), (_, { storage }) =>
    storage.sql.exec(
      "UPDATE attempts SET provider = 'twilio', credentials_id = ?, provider_call_id = 'CA1'",
      credentials_id,
    ),
  );
}

describe("a campaign's call", () => {
  it("a campaign's call that is not listed yet is transferred if the campaign is given", async () => {
    const { server, account, campaign, id, agentId, context } = await campaigning();
    await unlist({ account, campaign }, id);
    await movedToTwilio({ server, account, campaign });
    const requests = twilio();
    await expect(transferCall(context, { callId: id, agentId, toNumber: TARGET })).rejects.toMatchObject({
      status: 404,
    });
    await transferCall(context, { callId: id, agentId, toNumber: TARGET, campaignId: campaign });
    expect(requests).toEqual([transferRequest]);
    expect(await audited(server, id)).toEqual(["transfer"]);
    const other = transferCall(context, {
      callId: crypto.randomUUID(),
      agentId,
      toNumber: TARGET,
      campaignId: campaign,
    });
    await expect(other).rejects.toMatchObject({ status: 404 });
  });

  it("a campaign's call that the ledger lacks is hung up by the campaign that its lease names", async () => {
    const { server, account, campaign, id, context } = await campaigning();
    await unlist({ account, campaign }, id);
    await expect(hangUpCall(context, { id: crypto.randomUUID(), campaignId: campaign })).rejects.toMatchObject({
      status: 404,
    });
    await expect(hangUpCall(context, { id, campaignId: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 });
    expect(await getCall(server, id)).toMatchObject({ call_id: id, status: "in-progress", campaign_id: campaign });
    const hungUp = {
      status: "completed",
      end_reason: "hangup",
      campaign_id: campaign,
      metadata: { hangup_requested: true },
    };
    expect((await server.post(`/api/v1/calls/${id}/hangup`)).body).toMatchObject(hungUp);
    await vi.waitFor(async () => expect(await getCall(server, id)).toMatchObject(hungUp), 20_000);
    expect(await audited(server, id)).toEqual(["hangup"]);
  });

  it("a campaign's call is transferred with the campaign's data if the list lags behind", async () => {
    const { server, account, campaign, id, agentId, context } = await campaigning();
    await movedToTwilio({ server, account, campaign });
    await onLedger(account, "UPDATE calls SET status = 'queued', connected_at = NULL WHERE id = ?", id);
    const requests = twilio();
    await transferCall(context, { callId: id, agentId, toNumber: TARGET });
    expect(requests).toEqual([transferRequest]);
  });
});

it("a single call is hung up whatever campaign the request names", async () => {
  const who = await caller();
  await slowly(who);
  const { call_id } = (await originate(who, THEIRS)).body;
  const call = await hangUpCall(contextOf(who), { id: call_id, campaignId: crypto.randomUUID() });
  expect(call).toMatchObject({ status: "canceled", campaign_id: null });
});
