import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import { ledgerVolume } from "../../src/kernel/durable/objects.ts";
import { Ledger } from "../../src/records/ledger/ledger.ts";
import type { CallLine, LedgerReport } from "../../src/records/ledger/report.ts";
import type { Tenant } from "./client.ts";
import { newId } from "./ids.ts";

type Account = Pick<Tenant, "account">;

/** Returns the account's ledger as the service reaches it. */
export function ledgerOf({ account }: Account): Ledger {
  return new Ledger({ env, store: accountStore(env, account, { actor: "test", request_id: "" }) });
}

/**
 * Makes the account as old as its first volume and gives its ledger these volumes. Call it before the ledger is used.
 */
export async function haveVolumes({ account }: Account, [first, ...more]: [string, ...string[]]): Promise<void> {
  await env.DB.prepare("UPDATE accounts SET created_at = ?, ledger_days = ? WHERE name = ?")
    .bind(`${first}T00:00:00.000Z`, JSON.stringify(more), account)
    .run();
}

export const volumeIn = ({ account }: Account, day: string) => ledgerVolume(env, account, day);

export const idAt = (time: string) => newId(Date.parse(time));

/** Returns the report of an ended call; `at` is the instant in its id. */
export function callAt(at: string, over: Partial<CallLine> = {}): LedgerReport & { part: "line" } {
  const line: CallLine = {
    direction: "outbound",
    status: "completed",
    agent_id: "agent",
    agent_version: null,
    campaign_id: null,
    contact_id: null,
    api_key_id: null,
    from_number: "+12025550100",
    to_number: "+13035550110",
    provider: "sandbox",
    credentials_id: null,
    provider_call_id: null,
    end_reason: "answered",
    started_at: at,
    connected_at: at,
    ended_at: at,
    disclosure: null,
    recorded: false,
    voicemail: null,
    message: null,
    message_until: null,
    metadata: {},
    variables: {},
    own_metadata: {},
  };
  return { part: "line", id: idAt(at), revision: 1, line: Object.assign(line, over) };
}

/** Returns the first volume of an account's ledger. It is today's unless a test sets others. */
export async function firstVolume(account: string) {
  const row = await env.DB.prepare("SELECT created_at FROM accounts WHERE name = ?")
    .bind(account)
    .first<{ created_at: string }>();
  return ledgerVolume(env, account, row?.created_at.slice(0, 10) ?? "");
}

/** A single call before its carrier has reported anything. */
const UNREPORTED = { status: "initiated", end_reason: null, connected_at: null, ended_at: null, recorded: true };

/** Stores a single call in progress and returns its id. */
export async function putCall(account: string, over: Partial<CallLine> = {}, id = newId()): Promise<string> {
  const { line } = callAt(new Date().toISOString(), UNREPORTED);
  await (await firstVolume(account)).openCall(id, Object.assign(line, { agent_id: crypto.randomUUID() }, over), null);
  return id;
}

/** Runs SQL on the first volume of an account's ledger, bypassing all its rules. */
export async function onLedger<T extends Record<string, SqlStorageValue>>(
  account: string,
  statement: string,
  ...values: SqlStorageValue[]
): Promise<T[]> {
  const volume = await firstVolume(account);
  // An empty volume has no tables.
  await volume.report([]);
  return runInDurableObject(volume, (_, { storage }) => storage.sql.exec<T>(statement, ...values).toArray());
}

/** Makes the account's ledger refuse to write calls that match the condition, until it is repaired. */
export async function breakLedger(account: string, when = "true") {
  const events = ["INSERT", "UPDATE"];
  for (const event of events)
    await onLedger(
      account,
      `CREATE TRIGGER away_${event} BEFORE ${event} ON calls WHEN ${when} BEGIN SELECT RAISE(ABORT, 'the ledger is away'); END`,
    );
  return {
    async repair() {
      for (const event of events) await onLedger(account, `DROP TRIGGER away_${event}`);
    },
  };
}
