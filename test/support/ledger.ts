import { env } from "cloudflare:workers";
import { v7 as uuidv7 } from "uuid";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import { ledgerVolume } from "../../src/kernel/durable/objects.ts";
import { Ledger } from "../../src/records/ledger/ledger.ts";
import type { CallLine, LedgerReport } from "../../src/records/ledger/report.ts";
import type { Tenant } from "./client.ts";

type Account = Pick<Tenant, "account">;

/** The account's ledger as the service reaches it. */
export function ledgerOf({ account }: Account): Ledger {
  return new Ledger({ env, store: accountStore(env, account, { actor: "test", request_id: "" }) });
}

/** Has the account be as old as its first volume, and its ledger have these; before the ledger is first used. */
export async function haveVolumes({ account }: Account, [first, ...more]: [string, ...string[]]): Promise<void> {
  await env.DB.prepare("UPDATE accounts SET created_at = ?, ledger_days = ? WHERE name = ?")
    .bind(`${first}T00:00:00.000Z`, JSON.stringify(more), account)
    .run();
}

/** A volume of the account's ledger. */
export const volumeIn = ({ account }: Account, day: string) => ledgerVolume(env, account, day);

/** A new id of that instant. */
export const idAt = (time: string) => uuidv7({ msecs: Date.parse(time) });

/** A call that is over, as its line's writer reports it; `at` is the instant in its id. */
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
