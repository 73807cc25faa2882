import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { campaignObject } from "../../../kernel/durable/objects.ts";
import type { Deliver, Owed } from "../../../kernel/durable/outbox.ts";
import { Ledger } from "../../../records/ledger/ledger.ts";
import { listOptOuts } from "../opt-out.ts";
import { type OwedReport, withRates } from "./pricing.ts";
import type { ConversationDestination, OptOutReport, OutcomeReport } from "./reports.ts";

interface Context {
  env(): Pick<Env, "ACCOUNT_LEDGER" | "CAMPAIGN">;
  accountStore: AccountStore;
}

/** How what a conversation owes is delivered; each takes again what it has taken before. */
export function deliveries({ env, accountStore }: Context): Record<ConversationDestination, Deliver> {
  return {
    ledger: async (rows) => {
      const reports = await withRates(bodiesOf<OwedReport>(rows), accountStore);
      await new Ledger({ env: env(), store: accountStore }).report(reports);
    },
    campaign: async (rows) => {
      for (const {
        campaign_id,
        call_id,
        conversation_id,
        disposition,
        agent_version = null,
      } of bodiesOf<OutcomeReport>(rows))
        await campaignObject(env(), accountStore.account, campaign_id).conversation(call_id, {
          conversation_id,
          disposition,
          agent_version,
        });
    },
    d1: (rows) => listOptOuts(accountStore, bodiesOf<OptOutReport>(rows)),
  };
}

function bodiesOf<Body>(rows: Owed[]): Body[] {
  return rows.map(({ body }) => JSON.parse(body) as Body);
}
