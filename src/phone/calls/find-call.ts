import type { AccountStore } from "../../kernel/db/account-store.ts";
import { accountMeter, campaignObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { asReported } from "../../records/ledger/records.ts";
import type { CallRow, LedgerReport } from "../../records/ledger/report.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
}

/**
 * A call of the account; null if there is none. A campaign's call can be read before the ledger has it: its campaign
 * has it, which the call's lease names if the caller does not. An id that the account cannot have issued costs no hop.
 */
export async function findCall(
  { env, store }: Context,
  id: string,
  campaignId: string | null = null,
): Promise<CallRow | null> {
  const volume = await new Ledger({ env, store }).at(id);
  if (!volume) return null;
  const call = (await volume.call(id)) as CallRow | null;
  if (call) return call;
  const campaign = campaignId ?? (await accountMeter(env, store.account).campaignOf(id));
  return campaign === null ? null : callInCampaign({ env, store }, campaign, id, null);
}

/** The call as its campaign knows it now, with the other parts of what is on record; null if it knows none. */
export async function callInCampaign(
  { env, store }: Context,
  campaignId: string,
  id: string,
  onRecord: CallRow | null,
): Promise<CallRow | null> {
  const report = (await campaignObject(env, store.account, campaignId).lineReport(id)) as LineReport | null;
  return report && asReported(report, onRecord);
}

type LineReport = Extract<LedgerReport, { part: "line" }>;
