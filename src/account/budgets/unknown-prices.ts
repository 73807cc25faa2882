import { eq, ne, sql } from "drizzle-orm";
import type { ModelSettings } from "../../agent/models/choose-model.ts";
import { DEFAULT_PLATFORM_MODELS } from "../../agent/models/list.ts";
import { modelKeys } from "../../agent/models/model-keys.ts";
import { pricedModels } from "../../agent/models/priced-model.ts";
import { allInForce } from "../../agent/versions/in-force.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, callSettings, campaigns, phoneNumbers, prices } from "../../kernel/db/schema/index.ts";
import { hasPrice, PricesAt } from "../../records/prices/price-list.ts";
import { ratesOf } from "../../records/prices/rates.ts";
import type { BudgetScope } from "../meter/budget-rules.ts";

interface Context {
  env: ModelSettings & Pick<Env, "VOICE_RUNTIME_URL">;
  store: AccountStore;
  /** The current time, ms. */
  now: number;
}

/** One number per group of destinations with its own price. */
const DESTINATIONS = { "+1": "+12025550100", other: "+442071838750" };

/**
 * Returns the units without a known price that agents in a budget's scope would use today, on the account's numbers and
 * in widgets. In an account without agents, any model counts, because a new agent may use it.
 */
export async function unknownPrices(
  { env, store, now }: Context,
  { scope, scope_id }: { scope: Exclude<BudgetScope, "widget_key">; scope_id: string | null },
): Promise<string[]> {
  const [own, installs, numbers, settings, found] = await store.read(
    store.select(prices),
    modelKeys(store),
    store.select(phoneNumbers, { columns: ["provider", "e164"] }),
    store.first(callSettings, { columns: ["allowed_destinations"] }),
    allInForce(store, ofScope(store, scope, scope_id), ["llm_model", "fallback_model", "voice_provider"]),
  );
  const inForce = new PricesAt(own, new Date(now).toISOString());
  const anyModel = DEFAULT_PLATFORM_MODELS.map((llm_model) => ({
    llm_model,
    fallback_model: null,
    voice_provider: null,
  }));
  const codes = settings?.allowed_destinations ?? null;
  const relayed = env.VOICE_RUNTIME_URL === "";
  const calls = numbers.flatMap(({ provider: carrier, e164 }) => {
    const dialed = Object.entries(DESTINATIONS).filter(([destination]) => isDialed(codes, destination));
    const outbound = dialed.map(([, to_number]) => ({ carrier, direction: "outbound" as const, to_number, relayed }));
    return [...outbound, { carrier, direction: "inbound" as const, to_number: e164, relayed }];
  });
  const isOfOne = scope === "agent" || scope === "campaign";
  const rates = (found.length > 0 || isOfOne ? found : anyModel).flatMap(
    ({ llm_model, fallback_model, voice_provider }) => {
      const models = pricedModels(env, { llm_model, fallback_model }, installs, now);
      const ratesWith = (voice: string, call: (typeof calls)[number] | null) =>
        ratesOf(Object.assign({ voice_provider: voice, call }, models), inForce);
      const inWidget = ratesWith("", null);
      if (voice_provider === null) return inWidget;
      return [...inWidget, ...calls.flatMap((call) => ratesWith(voice_provider, call))];
    },
  );
  // A unit that is missing from the price list is never used. For example, not every carrier transcribes speech.
  const unknown = rates.filter(({ what, unit_micros }) => unit_micros === null && hasPrice(what));
  return [...new Set(unknown.map(({ what }) => what))];
}

function ofScope({ account }: AccountStore, scope: string, scope_id: string | null) {
  if (scope === "agent" && scope_id !== null) return eq(agents.id, scope_id);
  if (scope === "campaign" && scope_id !== null)
    return sql`${agents.id} = (SELECT agent_id FROM ${campaigns} AS own WHERE own.account = ${account} AND own.id = ${scope_id})`;
  return ne(agents.status, "archived");
}

/** Checks whether the allowed calling codes permit calls to such numbers. */
function isDialed(codes: readonly string[] | null, destination: string): boolean {
  return codes === null || codes.some((code) => (code === "+1") === (destination === "+1"));
}
