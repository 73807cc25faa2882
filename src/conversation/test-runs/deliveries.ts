import type { ConversationUse } from "../../account/meter/live-lease.ts";
import { keyHolders } from "../../agent/models/model-keys.ts";
import type { NamedPair } from "../../agent/models/model-pair.ts";
import { answeringPair } from "../../agent/models/priced-model.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { integrationInstalls, prices } from "../../kernel/db/schema/index.ts";
import { accountEvents, accountMeter } from "../../kernel/durable/objects.ts";
import type { Deliver, Owed } from "../../kernel/durable/outbox.ts";
import type { OptionalSecrets } from "../../kernel/http/context.ts";
import { instantOf } from "../../kernel/instant-ids.ts";
import { newEvent } from "../../records/events/event.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { LedgerReport, UsageRow } from "../../records/ledger/report.ts";
import { PricesAt } from "../../records/prices/price-list.ts";
import { ratesOf } from "../../records/prices/rates.ts";
import type { RunPlan, RunRecord } from "./plan.ts";
import type { Talked } from "./talk/talk.ts";

export type RunDestination = "meter" | "ledger" | "events" | "d1";

/** A pending report of usage, with the models that were used. Prices are looked up when it is delivered. */
type OwedUsage = { part: "usage"; row: Omit<UsageRow, "rates"> } & NamedPair;

/** The kind under which usage of tests is counted. */
const KIND = "agent_test";

/** Returns the pending report of what a test's conversation used. */
export function usageOf(
  lease: string,
  { agent_id, version, llm_model, fallback_model = null, holder }: RunPlan,
  { usage, models }: Pick<Talked, "usage" | "models">,
): OwedUsage {
  const api_key_id = "key_id" in holder ? holder.key_id : null;
  const row = { id: lease, kind: KIND, agent_id, agent_version: version, api_key_id, ...usage };
  return { part: "usage", row: Object.assign(row, models && { models }), llm_model, fallback_model };
}

/** Returns the deliveries of a run's outbox. Each destination accepts repeated reports. */
export function deliverTo(
  env: Env & OptionalSecrets,
  store: AccountStore,
  list: () => Promise<void>,
): Record<RunDestination, Deliver> {
  const { account } = store;
  return {
    meter: async (rows) => {
      for (const { id, use } of bodiesOf<{ id: string; use: ConversationUse }>(rows))
        await accountMeter(env, account).leave(id, use);
    },
    ledger: async (rows) => {
      const owed = bodiesOf<OwedUsage | LedgerReport>(rows);
      await new Ledger({ env, store }).report(await priced(env, store, owed));
    },
    events: async (rows) => {
      const events = bodiesOf<{ record: RunRecord }>(rows).map(({ record }) => {
        const { id, created_by: _, created_at: __, ended_at, ...shown } = record;
        const url = `/api/v1/test-runs/${id}`;
        return newEvent(
          "test_run.completed",
          ended_at ?? record.created_at,
          id,
          Object.assign({ run_id: id, url }, shown),
        );
      });
      await accountEvents(env, account).take(events);
    },
    d1: list,
  };
}

/** Adds the prices that were in force when the tests ran to the reports. */
async function priced(
  env: Env & OptionalSecrets,
  store: AccountStore,
  owed: (OwedUsage | LedgerReport)[],
): Promise<LedgerReport[]> {
  const [own, installs] = await store.read(store.select(prices), store.select(integrationInstalls));
  return owed.map((one): LedgerReport => {
    if (one.part !== "usage" || !("llm_model" in one)) return one;
    const { part, row, llm_model, fallback_model = null } = one;
    const at = instantOf(row.id) ?? 0;
    // A test is held in text, without a voice or a call.
    const { model, fallback } = answeringPair(env, { llm_model, fallback_model }, keyHolders(installs), at);
    const of = { model, fallback: row.models ? fallback : null, voice_provider: "", call: null };
    const rates = ratesOf(of, new PricesAt(own, new Date(at).toISOString()));
    return { part, row: Object.assign({}, row, { rates }) };
  });
}

function bodiesOf<Body>(rows: Owed[]): Body[] {
  return rows.map(({ body }) => JSON.parse(body) as Body);
}
