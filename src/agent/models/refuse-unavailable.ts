import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import { invalidFields } from "../../kernel/http/issues.ts";
import { findModel, type ModelSettings } from "./choose-model.ts";
import { DEFAULT_PLATFORM_MODELS } from "./list.ts";
import { keyHolders, modelKeys } from "./model-keys.ts";
import { customModel, modelsOf, type NamedModels } from "./model-name.ts";

interface Context {
  env: ModelSettings & Pick<Env, "VOICE_RUNTIME_URL">;
  store: AccountStore;
  now: number;
}

/**
 * Refuses models that no provider would serve, and says what is missing. The specification's names are allowed in any
 * account, because the scripted agent answers until a key is installed. Models that the agent `agent_id` already names
 * are kept. @throws ApiError 400
 */
export async function refuseUnavailable(
  { env, store, now }: Context,
  sent: NamedModels,
  agent_id: string | null = null,
): Promise<void> {
  const named = modelsOf(sent).filter(({ name }) => needsKey(env, name));
  if (named.length === 0) return;
  const [installs, before] = await store.read(
    modelKeys(store),
    store.first(agents, {
      where: eq(agents.id, agent_id ?? ""),
      columns: ["llm_model", "fallback_model", "analysis"],
    }),
  );
  const had = modelsOf(before ?? {}).map(({ name }) => name);
  const faults = named.flatMap(({ field, name }) => {
    const found = had.includes(name) ? {} : findModel(env, name, keyHolders(installs), now);
    return "reason" in found ? [{ field, code: "model_unavailable", message: `cannot be used: ${found.reason}` }] : [];
  });
  if (faults.length > 0) throw invalidFields(faults, "model_unavailable");
}

/** Checks whether a model needs a key or server of the account, or must be on the operator's list. */
function needsKey({ VOICE_RUNTIME_URL }: Pick<Env, "VOICE_RUNTIME_URL">, name: string): boolean {
  if (customModel(name) !== null) return true;
  return VOICE_RUNTIME_URL === "" && !DEFAULT_PLATFORM_MODELS.some((model) => model === name);
}
