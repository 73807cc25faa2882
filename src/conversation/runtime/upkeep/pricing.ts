import type { ModelSettings } from "../../../agent/models/choose-model.ts";
import { keyHolders } from "../../../agent/models/model-keys.ts";
import { answeringPair } from "../../../agent/models/priced-model.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { prices } from "../../../kernel/db/schema/index.ts";
import type { LedgerReport } from "../../../records/ledger/report.ts";
import { PricesAt } from "../../../records/prices/price-list.ts";
import { type PricedConversation, ratesOf } from "../../../records/prices/rates.ts";
import type { ConversationStore } from "../store/conversation-store.ts";

/** A report owed to the ledger; for an ended conversation, with what determines its prices. */
export type OwedReport = LedgerReport & { priced?: PricedConversation | null };

/** Returns what determines the prices of an ended conversation; null while it is live. */
export function pricedOf(env: ModelSettings, store: ConversationStore): PricedConversation | null {
  const { ended_at, held_by, speech_chars } = store.existing;
  if (ended_at === null) return null;
  const { snapshot, installs } = store.session;
  const { llm_model, voice_provider } = snapshot.agent;
  const isAnsweredByFallback = store.events.some((event) => event.type === "usage" && event.fallback);
  const isOwn = held_by === "own";
  const { call } = snapshot;
  const answers = answeringPair(env, snapshot.agent, keyHolders(Object.values(installs)), ended_at);
  return {
    // The account's own runtime gets the agent's model and reports its usage.
    model: isOwn ? llm_model : answers.model,
    fallback: isAnsweredByFallback ? answers.fallback : null,
    voice_provider: call || speech_chars > 0 ? voice_provider : "",
    call: call && {
      carrier: call.provider,
      direction: call.direction,
      to_number: call.to_number,
      relayed: !isOwn,
    },
  };
}

/** Returns the reports with the prices in force when their conversations ended. */
export async function withRates(owed: OwedReport[], store: AccountStore): Promise<LedgerReport[]> {
  const [own] = owed.some(({ priced }) => priced) ? await store.read(store.select(prices)) : [[]];
  return owed.map(({ priced, ...report }): LedgerReport => {
    if (report.part === "analysis" && priced && report.analysis.ended_at !== null) {
      const rates = ratesOf(priced, new PricesAt(own, report.analysis.ended_at));
      return { part: report.part, id: report.id, analysis: Object.assign({}, report.analysis, { rates }) };
    }
    if (report.part !== "conversation" || !priced || report.row.ended_at === null) return report;
    const rates = ratesOf(priced, new PricesAt(own, report.row.ended_at));
    return Object.assign({}, report, { row: Object.assign({}, report.row, { rates }) });
  });
}
