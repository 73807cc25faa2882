import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { hasTable, migrate } from "../../../src/kernel/durable/migrate.ts";
import {
  accountEvents,
  accountMeter,
  idempotencyStore,
  recordingInbox,
  sandboxCarrier,
} from "../../../src/kernel/durable/objects.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import { SANDBOX_MIGRATIONS } from "../../../src/phone/carriers/sandbox-calls.ts";
import { callerOf } from "../../../src/phone/inbound/caller.ts";
import { audioKey } from "../../../src/phone/recordings/audio-store.ts";
import { putArchive } from "../../../src/records/conversations/archive.ts";
import { newEvent } from "../../../src/records/events/event.ts";
import type { LedgerReport } from "../../../src/records/ledger/report.ts";
import { upload } from "../../campaign/support.ts";
import { ARCHIVED, endedRow, TURNS } from "../../records/conversations/support.ts";
import { recording, toolRun } from "../../records/ledger/support.ts";
import type { Tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { callAt, ledgerOf } from "../../support/ledger.ts";

const OTHER = "+13035550199";

/** Formats a number as people write it: (303) 555-0110. */
export const asWritten = (number: string) => `(${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;

/** Stores a number in every store of an account that declares that it may hold one, and ends its calls. */
export async function planted({ account, server }: Tenant, number: string) {
  const now = new Date().toISOString();
  const agent_id = newId();
  const [ours, theirs] = [callAt(now, { to_number: number, variables: { name: "Ann" } }), callAt(now)];
  for (const { line } of [ours, theirs]) line.agent_id = agent_id;
  const inbound = callAt(now, { agent_id, direction: "inbound", from_number: number, to_number: "+12025550100" });
  ours.line.metadata = { note: number };
  Object.assign(theirs.line, {
    to_number: OTHER,
    end_reason: `asked to call ${asWritten(number)} instead`,
    variables: { callback: asWritten(number) },
    metadata: { note: number },
    own_metadata: { lead: { phone: Number(number.slice(1)) } },
  });
  const talk = endedRow({ agent_id, call_id: ours.id, phone_number: number, started_at: now, ended_at: now });
  const mentioning = endedRow({
    agent_id,
    call_id: theirs.id,
    phone_number: OTHER,
    started_at: now,
    ended_at: now,
    transferred_to: number,
    disposition: `call ${number}`,
    variables: { friend: asWritten(number) },
  });
  const recorded = recording(idBeside(ours.id), ours.id, { agent_id });
  const runs = [talk, mentioning].map(({ id }) =>
    toolRun(idBeside(ours.id), { conversation_id: id, ok: false, error: `no ${asWritten(number)}` }),
  );
  const reports: LedgerReport[] = [
    ours,
    inbound,
    theirs,
    { part: "conversation", row: talk },
    { part: "conversation", row: mentioning },
    { part: "recording", row: recorded },
    ...runs.map((row): LedgerReport => ({ part: "tool_run", row })),
  ];
  await ledgerOf({ account }).report(reports);
  const spoken = TURNS.map((turn) => Object.assign({}, turn, { text: `my number is ${asWritten(number)}` }));
  await putArchive(env.CONVERSATIONS, account, Object.assign({ turns: spoken }, ARCHIVED, talk));
  await env.RECORDINGS.put(audioKey(account, recorded.id), `audio of ${number}`);
  const call = { provider: "sandbox" as const, credentials_id: null, agent_id, campaign_id: null };
  await recordingInbox(env, account).take(Object.assign({ call_id: inbound.id }, call), [
    { id: `RE-${newId()}`, url: `https://carrier.example/${number}`, duration_ms: 500, content_type: "audio/wav" },
  ]);
  const csv = `phone_number,name,note\n${number},Ann,x\n${OTHER},Bob,wife of ${asWritten(number)}\n12,Cy,boss ${number}\n`;
  const uploaded = await upload(server, csv, { on_invalid: "skip", name: `Ask ${asWritten(number)}` });
  expect(uploaded.status).toBe(201);
  await plantedInEvents(account, number);
  await plantedInObjects(account, number);
  await server.post("/api/v1/do-not-call", { numbers: [number], reason: "asked" });
  await server.post("/api/v1/do-not-call", { numbers: [OTHER], reason: `friend of ${asWritten(number)}` });
  // Without this, pending deliveries would be counted wherever they are found.
  for (const volume of await ledgerOf({ account }).volumes()) await volume.deliverEvents();
  return { calls: [ours.id, inbound.id], conversation: talk.id, others: theirs.id, campaign: uploaded.body.id };
}

async function plantedInEvents(account: string, number: string): Promise<void> {
  const url = "/api/v1/do-not-call";
  const at = new Date().toISOString();
  const data = {
    phone_number: number,
    reason: `said ${asWritten(number)}`,
    conversation_id: null,
    agent_id: null,
    url,
  };
  await accountEvents(env, account).take([newEvent("opt_out.added", at, number, data)]);
  const store = accountStore(env, account, { actor: "system:test", request_id: "" });
  await env.DB.prepare("INSERT INTO pending_events (account, at, type, resource, data) VALUES (?, ?, ?, ?, ?)")
    .bind(account, at, "opt_out.added", `${number} again`, JSON.stringify(data))
    .run();
  await store.note({ action: "create", resource: "do_not_call", resource_id: number });
}

async function plantedInObjects(account: string, number: string): Promise<void> {
  const request = { id: `0000000${Math.floor(Math.random() * 10)}${newId()}`, fingerprint: "f", holder: "h" };
  const answers = idempotencyStore(env, account, request.id);
  await answers.begin(request);
  const body = JSON.stringify({ to_number: number, note: asWritten(number) });
  await answers.finish(request, { keep: { status: 201, headers: {}, body } });
  const caller = callerOf(number);
  await runInDurableObject(accountMeter(env, account), (_, { storage }) => {
    migrate(storage, METER_MIGRATIONS, Date.now());
    storage.sql.exec("INSERT INTO caller_days (day, caller, calls) VALUES ('2026-11-23', ?, 1)", caller);
    const lease = "INSERT INTO call_leases (call_id, caller, admitted_at, expires_at) VALUES (?, ?, 0, 4e12)";
    storage.sql.exec(lease, newId(), caller);
  });
  const isEmpty = await runInDurableObject(sandboxCarrier(env, account), (_, { storage }) => {
    const without = !hasTable(storage, "calls");
    migrate(storage, SANDBOX_MIGRATIONS, Date.now());
    const call = newId();
    storage.sql.exec(
      "INSERT INTO calls (call_id, provider_call_id, to_number, webhook_url, placed_at, recorded, takes_message, detects_machines) VALUES (?, 'p', ?, 'u', 4e12, 1, 0, 1)",
      call,
      number,
    );
    storage.sql.exec("INSERT INTO reports (call_id, due_at, body) VALUES (?, 4e12, ?)", call, number);
    return without;
  });
  // An object reads its tables when it starts, so an empty one is restarted. An object with calls already has its
  // tables, and cannot be evicted during a call.
  if (isEmpty) await evict(sandboxCarrier(env, account));
}
