import type { ModelKeys } from "../../../agent/models/choose-model.ts";
import { keyHolders, openKeys } from "../../../agent/models/model-keys.ts";
import { modelPair } from "../../../agent/models/model-pair.ts";
import { LONGEST_ANSWER_MS } from "../../../agent/models/output-limit.ts";
import type { ProviderChoice } from "../../../agent/models/provider.ts";
import { accountMeter } from "../../../kernel/durable/objects.ts";
import type { Outbox } from "../../../kernel/durable/outbox.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { Vault } from "../../../kernel/secrets/vault.ts";
import { putAnalysis } from "../../../records/analysis/archive.ts";
import { getArchive } from "../../../records/conversations/archive.ts";
import { analysisConsumerId } from "../../../records/ledger/usage-parts.ts";
import type { Model } from "../models/model.ts";
import { connected } from "../models/model-of.ts";
import { TIMERS, withTimeouts } from "../models/timeouts.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { ConversationDestination, Reports } from "../upkeep/reports.ts";
import { Analyses, type AnalysesDependencies } from "./analyses.ts";
import { ownAnalysis } from "./begin-analysis.ts";
import { type AnalysisJob, type JobRow, JobRows } from "./job-rows.ts";
import { scriptedAnalyst } from "./scripted-analyst.ts";

interface Context {
  env(): Bindings;
  ctx: Pick<DurableObjectState, "storage" | "waitUntil">;
  /** The conversation's account and the object's id. */
  name: { account: string; id: string };
  store: ConversationStore;
  outbox: Outbox<ConversationDestination>;
  reports: Pick<Reports, "isOnRecord">;
  arm(): Promise<void>;
  report(error: unknown): void;
}

export function analysesOf({ env, ctx, name, store, outbox, reports, arm, report }: Context): Analyses {
  const { account } = name;
  const { storage } = ctx;
  const meter = () => accountMeter(env(), account);
  const useOf = ({ input_tokens, output_tokens, requests }: JobRow) => ({ input_tokens, output_tokens, requests });
  return new Analyses({
    rows: new JobRows(storage.sql, () => store.isStored),
    transaction: (work) => storage.transactionSync(work),
    outbox,
    own: () => store.row && { id: store.row.id, isArchived: store.row.archived === 1 },
    wanted: () => ownAnalysis(store, () => reports.isOnRecord),
    beginning: (work) => {
      store.write(work);
      store.update({ analyzed: 1 });
      store.flush();
    },
    archived: (id) => getArchive(env().CONVERSATIONS, account, id),
    analyst: (...asked) => analystOf(env(), asked, (...args) => fetch(...args)),
    cover: (row, n, tokens) => {
      const { agent_id, campaign_id, api_key_id } = row.job;
      const id = analysisConsumerId(row.conversation_id, row.run);
      return meter().reserveAnalysisRequest(
        { id, object: name.id, agent_id, campaign_id, api_key_id },
        useOf(row),
        n,
        tokens,
      );
    },
    settle: (row) => meter().analyzed(analysisConsumerId(row.conversation_id, row.run), useOf(row)),
    keep: (id, run, { findings }) => putAnalysis(env().CONVERSATIONS, [account, id], run, findings),
    priced: ({ job, requests }) => {
      const { first, fallback } = modelsOf(env(), job, keyHolders(job.installs));
      const second = first !== null && requests > 1 ? (fallback?.name ?? null) : null;
      return { model: (first ?? fallback)?.name ?? "scripted", fallback: second, voice_provider: "", call: null };
    },
    goesOn: (work) => ctx.waitUntil(work),
    arm,
    report,
    now: () => Date.now(),
  });
}

/** No caller waits for an analysis, so the model may be silent for as long as an answer may take. */
const TIMEOUTS = { first_ms: LONGEST_ANSWER_MS, between_ms: LONGEST_ANSWER_MS, total_ms: LONGEST_ANSWER_MS };

function modelsOf(env: Bindings, { settings, llm_model, fallback_model = null }: AnalysisJob, keys: ModelKeys) {
  return modelPair(env, { llm_model: settings.model ?? llm_model, fallback_model }, keys, Date.now());
}

/** Returns the model for a job after this many failures: the fallback after one failure, if there is one. */
function choiceOf(env: Bindings, job: AnalysisJob, keys: ModelKeys, failures: number): ProviderChoice | null {
  const { first, fallback } = modelsOf(env, job, keys);
  return failures > 0 || first === null ? (fallback ?? first) : first;
}

/** Returns the model that reads the conversation, or the scripted analyst if there is none. @throws VaultUnavailable */
async function analystOf(
  env: Bindings,
  [job, material, tries]: Parameters<AnalysesDependencies["analyst"]>,
  ask: typeof fetch,
): Promise<Model> {
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), job.installs);
  const choice = choiceOf(env, job, keys, tries);
  return choice === null ? scriptedAnalyst(material) : withTimeouts(connected(choice, ask), TIMEOUTS, TIMERS);
}
