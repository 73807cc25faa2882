import type { LiveLease } from "../../account/meter/live-lease.ts";
import { toolRunReport } from "../../agent/tools/run/tool-runs.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { OptionalSecrets, SessionIdentity } from "../../kernel/http/context.ts";
import { actorOf } from "../../kernel/http/credential-holder.ts";
import type { LedgerReport } from "../../records/ledger/report.ts";
import { redactRunError } from "../../records/privacy/redaction/redact-record.ts";
import { RequestBudget } from "../runtime/budget/request-budget.ts";
import { searchIn } from "../runtime/built-in/search-knowledge.ts";
import type { Model } from "../runtime/models/model.ts";
import { modelOf } from "../runtime/models/model-of.ts";
import { policyOf } from "../runtime/session/session.ts";
import type { Session } from "../runtime/session/snapshot.ts";
import { RunCounter } from "../runtime/tools/count-run.ts";
import { isFinal } from "../runtime/tools/run-state.ts";
import { ToolRuns } from "../runtime/tools/tool-runs.ts";
import type { RunPlan } from "./plan.ts";
import type { Item, RunStore } from "./run-store.ts";
import type { RunFailure } from "./run-work.ts";
import { MemoryStore } from "./talk/memory-store.ts";
import { testSession } from "./talk/session.ts";
import { type Stop, type Talked, talk } from "./talk/talk.ts";
import { TestTools } from "./talk/test-tools.ts";
import type { Tested } from "./tested.ts";

type ToolRunReport = Extract<LedgerReport, { part: "tool_run" }>;

interface Context {
  env: Env & OptionalSecrets;
  storage: DurableObjectStorage;
  store: RunStore;
  accountStore: AccountStore;
  leaseOf(id: string): LiveLease;
  tested(): Promise<Tested | "agent_deleted" | "version_gone">;
  /** Adds the report of a tool that actually ran to the outbox. */
  ran(report: ToolRunReport): void;
  report(error: unknown): void;
}

interface Held {
  item: Item;
  lease: string;
  signal: AbortSignal;
}

/** Holds one conversation of a run like a call of its agent. Returns why the run cannot continue, if it cannot. */
export async function holdTest(
  context: Context,
  { item, lease: id, signal }: Held,
): Promise<Talked | Stop | { failed: RunFailure }> {
  const { env, storage, store, accountStore } = context;
  const { account } = accountStore;
  const plan = store.run?.plan;
  const tested = await context.tested();
  if (typeof tested === "string" || !plan) return { failed: plan ? String(tested) : "agent_deleted" };
  const { test } = item;
  const parts = {
    id,
    account,
    at: Date.parse(plan.created_at),
    variables: test.variables,
    mocked: test.tool_mocks.map(({ tool }) => tool),
  };
  const session = testSession(tested, plan, parts);
  const meter = () => accountMeter(env, account);
  const lease = context.leaseOf(id);
  const admission = await meter().admit(lease);
  if (admission.outcome === "refused")
    return admission.code === "budget_reached" ? "budget" : { failed: admission.code };
  const talkStore = new MemoryStore({
    id,
    identity: identityOf(account, plan, { id, variables: test.variables }),
    session,
    sql: storage.sql,
    keep: (use) => store.used(item.n, use),
  });
  const budget: RequestBudget = new RequestBudget({
    store: talkStore,
    // No caller waits, so each request asks for its own budget and nothing is reserved ahead.
    lease: {
      renew: () => {},
      renewed: async () => {},
      ask: (n, tokens) => meter().reserveRequest(lease, budget.use, n, tokens),
    },
    maxOutput: () => session.snapshot.agent.max_output_tokens,
    report: context.report,
    now: () => Date.now(),
    wait: (ms) => scheduler.wait(ms),
  });
  const counter = new RunCounter({ env, store: talkStore, now: () => Date.now() });
  const runs = new ToolRuns({
    env,
    store: talkStore,
    accountStore,
    fetch: (...args) => fetch(...args),
    count: () => counter.count(),
    // Checked when the run began, for the tested version.
    testerScopes: async () => null,
    ended: () => {},
    now: () => Date.now(),
  });
  const tools = new TestTools({ store: talkStore, mocks: test.tool_mocks, allowed: new Set(plan.allow_tools), runs });
  try {
    const model = once(() => modelOf(env, session, (...args) => fetch(...args)));
    const { report } = context;
    const searching = { env, accountStore, report, now: () => Date.now() };
    const search = (query: string) => searchIn(searching, query, async () => tested.content);
    return await talk({ store: talkStore, model, tools, budget, search, signal, report }, test.steps);
  } finally {
    for (const report of reportsOf(talkStore, session)) context.ran(report);
  }
}

/** Returns the session's identity. Its user is the one who requested the run. */
function identityOf(
  account: string,
  { agent_id, version, holder, created_at }: RunPlan,
  { id: key, variables }: { id: string; variables: Record<string, string> },
): SessionIdentity {
  const issued_at = Date.parse(created_at);
  const visitor = { id: actorOf(holder), type: "user" as const };
  return {
    kind: "test",
    version,
    visitor,
    holder,
    variables,
    account,
    agent_id,
    key,
    issued_at,
    expires_at: issued_at,
  };
}

/** Returns the reports of tools that actually ran. */
function reportsOf({ runs }: MemoryStore, { snapshot }: Session): ToolRunReport[] {
  return runs.all
    .filter(({ state, started_at }) => isFinal(state) && started_at !== null)
    .map(({ id, name, state, requested_at, started_at, ended_at, status, error }) => {
      const at = started_at ?? requested_at;
      const report = toolRunReport({
        id,
        tool_name: name,
        at: new Date(at).toISOString(),
        conversation_id: null,
        tool_call_id: null,
        ok: state === "ok",
        status,
        duration_ms: Math.max(0, (ended_at ?? at) - at),
        error: redactRunError(error, policyOf(snapshot)),
      });
      return report as ToolRunReport;
    });
}

function once(make: () => Promise<Model>): () => Promise<Model> {
  let built: Promise<Model> | undefined;
  return () => {
    built ??= make();
    return built;
  };
}
