import { chooseModel } from "../../../agent/models/choose-model.ts";
import { openKeys } from "../../../agent/models/model-keys.ts";
import { LONGEST_ANSWER_MS } from "../../../agent/models/output-limit.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { Vault } from "../../../kernel/secrets/vault.ts";
import { buildModel } from "../models/build-model.ts";
import type { Model } from "../models/model.ts";
import { TIMERS, withTimeouts } from "../models/timeouts.ts";
import type { AnalysisJob } from "./job-rows.ts";
import type { Material } from "./request.ts";
import { scriptedAnalyst } from "./scripted-analyst.ts";

/** Nobody waits on the line: a model may be silent for as long as an answer may take. */
const TIMEOUTS = { first_ms: LONGEST_ANSWER_MS, between_ms: LONGEST_ANSWER_MS, total_ms: LONGEST_ANSWER_MS };

/** The model that a job names. */
export function modelNamed({ settings, llm_model }: Pick<AnalysisJob, "settings" | "llm_model">): string {
  return settings.model ?? llm_model;
}

/** What reads the conversation: the job's model, or the scripted analyst if there is none. @throws VaultUnavailable */
export async function analystOf(
  env: Bindings,
  job: AnalysisJob,
  material: Material,
  ask: typeof fetch,
): Promise<Model> {
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), job.installs);
  const choice = chooseModel(env, modelNamed(job), keys, Date.now());
  if (choice.kind === "scripted") return scriptedAnalyst(material);
  return withTimeouts(
    buildModel(choice, ask, () => TIMERS.now),
    TIMEOUTS,
    TIMERS,
  );
}
