import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { campaignObject } from "../../../kernel/durable/objects.ts";
import type { Deliver, Owed } from "../../../kernel/durable/outbox.ts";
import { Ledger } from "../../../records/ledger/ledger.ts";
import { listOptOuts } from "../opt-out.ts";
import { type OwedReport, withRates } from "./pricing.ts";
import type { AnalyzedReport, ConversationDestination, OptOutReport, OutcomeReport } from "./reports.ts";

interface Context {
  env(): Pick<Env, "ACCOUNT_LEDGER" | "CAMPAIGN">;
  accountStore: AccountStore;
}

/** Returns the delivery to each destination. All of them accept repeated deliveries. */
export function deliveries({ env, accountStore }: Context): Record<ConversationDestination, Deliver> {
  return {
    ledger: async (rows) => {
      const reports = await withRates(bodiesOf<OwedReport>(rows), accountStore);
      await new Ledger({ env: env(), store: accountStore }).report(reports);
    },
    campaign: async (rows) => {
      for (const report of bodiesOf<OutcomeReport | AnalyzedReport>(rows)) {
        const { campaign_id, call_id, conversation_id } = report;
        const campaign = campaignObject(env(), accountStore.account, campaign_id);
        if ("analysis" in report) await campaign.analyzed(call_id, conversation_id, report.analysis);
        else {
          const { disposition, agent_version = null } = report;
          await campaign.conversation(call_id, { conversation_id, disposition, agent_version });
        }
      }
    },
    d1: (rows) => listOptOuts(accountStore, bodiesOf<OptOutReport>(rows)),
  };
}

function bodiesOf<Body>(rows: Owed[]): Body[] {
  return rows.map(({ body }) => JSON.parse(body) as Body);
}
