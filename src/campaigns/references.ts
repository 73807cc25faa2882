import { and, eq } from "drizzle-orm";
import { noModel } from "../calls/no-model.ts";
import { PROVIDERS } from "../carriers/carrier.ts";
import { noRuntime } from "../carriers/no-runtime.ts";
import type { AccountStore } from "../db/account-store.ts";
import { agents, phoneNumbers } from "../db/schema/index.ts";
import { type ApiError, conflict } from "../http/errors.ts";
import { modelKeys } from "../models/model-keys.ts";
import type { CampaignSettings } from "./settings.ts";

type References = Pick<CampaignSettings, "agent_id" | "from_number">;

const NO_AGENT = "agent_id: there is no such agent";
const NO_NUMBER = "from_number: not one of the account's numbers for outbound calls";

/** What the settings name and the account does not have, in words; null when all is there. */
export async function missingReference(
  store: AccountStore,
  { agent_id, from_number }: Partial<References>,
): Promise<string | null> {
  const [agent, number] = await store.read(
    store.count(agents, eq(agents.id, agent_id ?? "")),
    store.count(phoneNumbers, and(eq(phoneNumbers.e164, from_number ?? ""), eq(phoneNumbers.outbound_enabled, true))),
  );
  if (agent_id != null && agent === 0) return NO_AGENT;
  if (from_number != null && number === 0) return NO_NUMBER;
  return null;
}

/** Why a campaign with these settings cannot dial now; null when it can; `now` in ms. @throws ApiError 503 */
export async function startRefusal(
  env: Env,
  store: AccountStore,
  { agent_id, from_number }: References,
  now: number,
): Promise<ApiError | null> {
  const unset = [agent_id === null && "agent_id", from_number === null && "from_number"].filter(Boolean);
  if (unset.length > 0) return conflict("incomplete", `set ${unset.join(" and ")} before the start`);
  const [agent, number, installs] = await store.read(
    store.first(agents, { where: eq(agents.id, agent_id ?? ""), columns: ["status", "llm_model"] }),
    store.first(phoneNumbers, {
      where: eq(phoneNumbers.e164, from_number ?? ""),
      columns: ["provider", "outbound_enabled"],
    }),
    modelKeys(store),
  );
  if (!agent) return conflict("incomplete", NO_AGENT);
  if (agent.status === "archived") return conflict("agent_archived", "the agent is archived");
  const provider = PROVIDERS.find((name) => name === number?.provider);
  if (!number?.outbound_enabled || !provider) return conflict("incomplete", NO_NUMBER);
  const nowhere = noRuntime(env, provider);
  if (nowhere !== null) return conflict("no_runtime", nowhere);
  const thoughtless = await noModel(env, provider, agent.llm_model, installs, now);
  return thoughtless === null ? null : conflict("no_model", thoughtless);
}
