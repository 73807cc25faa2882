import type { Plan } from "./plans.ts";

const MB = 1_000_000;

/** What an account may have, by plan. */
export const QUOTAS = {
  agents: { starter: 100, growth: 1_000, scale: 5_000 },
  tools: { starter: 200, growth: 1_000, scale: 5_000 },
  playbooks: { starter: 200, growth: 1_000, scale: 5_000 },
  faqs: { starter: 200, growth: 1_000, scale: 5_000 },
  api_keys: { starter: 50, growth: 200, scale: 500 },
  widget_keys: { starter: 50, growth: 200, scale: 500 },
  credentials: { starter: 20, growth: 50, scale: 200 },
  numbers: { starter: 50, growth: 500, scale: 5_000 },
  open_campaigns: { starter: 20, growth: 100, scale: 500 },
  event_streams: { starter: 50, growth: 500, scale: 2_000 },
  uploads: { starter: 2, growth: 5, scale: 10 },
  configuration_bytes: { starter: 16 * MB, growth: 64 * MB, scale: 256 * MB },
} satisfies Record<string, Record<Plan, number>>;

export type QuotaName = keyof typeof QUOTAS;
export type Quotas = Record<QuotaName, number>;

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** Those that the gate counts itself; the database counts the others, each in the statement that changes it. */
const COUNTED_HERE: readonly QuotaName[] = ["open_campaigns", "event_streams", "uploads"];

/** The limits in force: the plan's, each replaced by the operator's override where there is one. */
export function quotasOf(account: { plan: Plan; quotas: Record<string, number> }): Quotas {
  return Object.fromEntries(
    QUOTA_NAMES.map((name) => [name, account.quotas[name] ?? QUOTAS[name][account.plan]]),
  ) as Quotas;
}

/** The limits that the database is to hold an account to. */
export function limitsInDatabase(quotas: Quotas): Record<string, number> {
  return Object.fromEntries(Object.entries(quotas).filter(([name]) => !COUNTED_HERE.includes(name as QuotaName)));
}

/** What a client is told who wants more: `agents: at most 100`. */
export function overQuota(name: QuotaName, limit: number): string {
  return `${name}: at most ${limit}`;
}
