import type { AccountStore } from "../../kernel/db/account-store.ts";
import { auditLog, budgets, widgetKeys } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { GaugePush } from "../../kernel/durable/gauge-push.ts";
import {
  accountEvents,
  accountGate,
  campaignObject,
  conversationObject,
  testRunObject,
} from "../../kernel/durable/objects.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import { longestCall } from "../../phone/calls/place-call.ts";
import { reconcileCalls } from "../../phone/calls/reconcile-calls.ts";
import { voicemailTimeoutMs } from "../../phone/calls/voicemail.ts";
import type { NewEvent } from "../../records/events/event.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { PlanInForce } from "../plan/plan-in-force.ts";
import { budgetEvents } from "./budget-events.ts";
import type { PendingWarning } from "./budget-pots.ts";
import { type BudgetConfiguration, Budgets } from "./budgets.ts";
import { type CallBudgets, isOfCall } from "./call-budgets.ts";
import { Calls } from "./calls.ts";
import { limitsOf } from "./key-limits.ts";
import { Live } from "./live.ts";
import { accessReads } from "./live-access.ts";
import { testRunNamed } from "./model-consumer.ts";
import { ToolRates } from "./tool-rates.ts";

interface Surroundings {
  env: Env;
  account: string;
  storage: DurableObjectStorage;
  sql: SqlStorage;
  plan: PlanInForce;
  /** Sets the object's alarm for the earliest time at which one of its parts is due. */
  arm(): Promise<void>;
  takeAlarmLag(): number;
  report(error: unknown): void;
}

/** Builds the parts of an account's meter, each connected to the storage and to the objects that it uses. */
export function meterParts(meter: Surroundings) {
  const outbox = outboxOf(meter);
  const budgets = budgetsOf(meter, outbox);
  return {
    calls: callsOf(meter, budgets.calls),
    live: liveOf(meter),
    tools: new ToolRates(meter.sql),
    budgets,
    outbox,
    gauges: gaugesOf(meter, outbox),
  };
}

export type MeterParts = ReturnType<typeof meterParts>;

function storeOf({ env, account }: Surroundings, actor: string) {
  return accountStore(env, account, { actor, request_id: "" });
}

function callsOf(meter: Surroundings, budgets: CallBudgets): Calls {
  const { env, account, sql, plan, arm } = meter;
  return new Calls({
    sql,
    budgets,
    plan,
    arm,
    longestCall: longestCall(env),
    voicemailTimeoutMs: voicemailTimeoutMs(env),
    wakeCampaign: (id) => campaignObject(env, account, id).wake(),
    reconcile: (silent) =>
      reconcileCalls({ env, store: storeOf(meter, "system:reconciliation"), clock: Date.now }, silent),
  });
}

function liveOf(meter: Surroundings): Live {
  const { env, account, sql, arm, report } = meter;
  const store = storeOf(meter, "system:revocation");
  return new Live({
    sql,
    atGate: (sessions) => accountGate(env, account).accessOf(sessions),
    read: (leases) => store.read(...accessReads(store, leases)),
    close: async ({ type, id }, ids, reason) => {
      if (type === "campaign") await campaignObject(env, account, id).revoke(ids, reason);
      else if (type === "test_run") await testRunObject(env, account, id).revoke(ids, reason);
      else if (type === "conversation") await conversationObject(env, account, id).revoke(ids, reason);
      else await accountEvents(env, account).revoke(ids);
    },
    arm,
    report,
  });
}

function gaugesOf(meter: Surroundings, outbox: Outbox<"events">): GaugePush {
  const { storage, takeAlarmLag } = meter;
  const first = "SELECT 1 FROM call_leases WHERE expires_at > ?1 UNION ALL SELECT 1 FROM live_leases LIMIT 1";
  const count = `SELECT (SELECT count(*) FROM call_leases WHERE expires_at > ?) AS call_leases,
      (SELECT count(*) FROM live_leases) AS live_leases`;
  return new GaugePush({
    storage,
    object: "meter",
    kind: "meter",
    store: storeOf(meter, "system:meter"),
    isBusy: (now) => storage.sql.exec(first, now).toArray().length > 0,
    read: (now) => {
      const { rows, parked, since } = outbox.backlog;
      const { call_leases, live_leases } = storage.sql
        .exec<{ call_leases: number; live_leases: number }>(count, now)
        .one();
      const storage_bytes = storage.sql.databaseSize;
      return { storage_bytes, outbox_rows: rows, outbox_parked: parked, outbox_since: since, call_leases, live_leases };
    },
    takeAlarmLag,
    clock: Date.now,
  });
}

function outboxOf({ env, account, sql }: Surroundings): Outbox<"events"> {
  const take = (events: NewEvent[]) => accountEvents(env, account).take(events);
  return new Outbox({ sql, deliver: { events: (rows) => take(rows.map(({ body }) => JSON.parse(body))) } });
}

function budgetsOf(meter: Surroundings, outbox: Outbox<"events">): Budgets {
  const { env, storage, arm, report } = meter;
  const store = () => storeOf(meter, "system:budgets");
  return new Budgets(
    {
      storage,
      read: () => readBudgets(store()),
      reached: (reached) => {
        for (const event of budgetEvents(reached)) outbox.add("events", event.id, event);
      },
      ledger: new Ledger({ env, store: store() }),
      warn: (warning) => noteWarning(store(), warning),
      close: (object, id) => endForBudget(meter, object, id),
      countsNetworks: env.RATE_LIMITS !== "off",
      arm,
      report,
    },
    Date.now(),
  );
}

async function endForBudget({ env, account }: Surroundings, object: string, id: string): Promise<void> {
  const run = testRunNamed(object);
  if (run === null) await conversationObject(env, account, object).endForBudget(isOfCall(id) ? null : id);
  else await testRunObject(env, account, run).endForBudget();
}

/** Reads the budgets and limits with which the meter counts, in one D1 round trip. */
async function readBudgets(store: AccountStore): Promise<BudgetConfiguration> {
  const [rows, keys] = await store.read(store.select(budgets), store.select(widgetKeys, { columns: ["id", "limits"] }));
  return {
    budgets: rows.map(({ id, scope, scope_id, period, unit, limit, warn_at, action }) => {
      return { id, scope, scope_id, period, unit, limit, warn_at, action };
    }),
    widgetKeys: Object.fromEntries(keys.map(({ id, limits }) => [id, limitsOf(limits)])),
  };
}

/** Writes a warning to the audit log. Idempotent. */
async function noteWarning(store: AccountStore, warning: PendingWarning): Promise<void> {
  const { id, at, budget, share, used } = warning;
  const entry = {
    id,
    at: new Date(at).toISOString(),
    actor: "system:budgets",
    action: share < 1 ? "warn" : "reach",
    resource: "budget",
    resource_id: budget,
    request_id: "",
    changes: { share: { from: null, to: share }, used: { from: null, to: used } },
  };
  await store.record(store.upsertMany(auditLog, [entry], { target: [auditLog.account, auditLog.id], columns: ["at"] }));
}
