import { BYTES_BY_PLAN, CHUNKS_BY_PLAN, CRAWL_PAGES_BY_PLAN, DOCUMENTS_BY_PLAN } from "../../agent/knowledge/limits.ts";
import { VERSIONS_BY_PLAN } from "../../agent/versions/limits.ts";
import type { Plan } from "../../phone/call-limits/plans.ts";
import type { CountedQuota } from "./quota-counts.ts";

type ByPlan = Record<Plan, number>;

/** The quotas by plan that D1 counts, in the batch that changes the rows. */
export const QUOTAS_IN_DATABASE = {
  agents: { starter: 100, growth: 1_000, scale: 5_000 },
  tools: { starter: 200, growth: 1_000, scale: 5_000 },
  playbooks: { starter: 200, growth: 1_000, scale: 5_000 },
  faqs: { starter: 200, growth: 1_000, scale: 5_000 },
  api_keys: { starter: 50, growth: 200, scale: 500 },
  widget_keys: { starter: 50, growth: 200, scale: 500 },
  credentials: { starter: 20, growth: 50, scale: 200 },
  numbers: { starter: 50, growth: 500, scale: 5_000 },
  budgets: { starter: 50, growth: 100, scale: 200 },
  webhooks: { starter: 5, growth: 20, scale: 50 },
  versions: VERSIONS_BY_PLAN,
  documents: DOCUMENTS_BY_PLAN,
  knowledge_bytes: BYTES_BY_PLAN,
} satisfies Record<CountedQuota, ByPlan>;

const QUOTAS_AT_GATE = {
  open_campaigns: { starter: 20, growth: 100, scale: 500 },
  event_streams: { starter: 50, growth: 500, scale: 2_000 },
  uploads: { starter: 2, growth: 5, scale: 10 },
} satisfies Record<string, ByPlan>;

const QUOTAS_AT_METER = {
  conversations: { starter: 50, growth: 500, scale: 2_000 },
} satisfies Record<string, ByPlan>;

/** The quotas that the account's knowledge base counts. */
const QUOTAS_IN_KNOWLEDGE = {
  knowledge_chunks: CHUNKS_BY_PLAN,
  crawl_pages: CRAWL_PAGES_BY_PLAN,
} satisfies Record<string, ByPlan>;

export const QUOTAS = { ...QUOTAS_IN_DATABASE, ...QUOTAS_AT_GATE, ...QUOTAS_AT_METER, ...QUOTAS_IN_KNOWLEDGE };

export const QUOTA_MEANINGS: Record<keyof typeof QUOTAS, string> = {
  agents: "Agents of any status.",
  tools: "The account's own tools, without the default ones.",
  playbooks: "The account's own playbooks, without the default ones.",
  faqs: "The account's own FAQs, without the default ones.",
  api_keys: "API keys that are neither disabled nor deleted.",
  widget_keys: "Widget keys that are neither disabled nor deleted.",
  credentials: "Carrier credentials that are not deleted.",
  numbers: "Registered phone numbers.",
  budgets: "Budgets of any scope.",
  webhooks: "Webhooks, enabled or not.",
  versions:
    "Versions of agents that are kept. At the limit, the oldest version that is neither published nor pinned is " +
    "deleted.",
  documents: "Documents that agents answer from, whether they are ready or not.",
  knowledge_bytes: "Bytes of all documents as they were uploaded.",
  knowledge_chunks:
    "Passages of all documents. A document that would exceed the limit is not read (`too_many_chunks`).",
  crawl_pages: "Web pages that are fetched in a day (UTC). At the limit, pages keep their present text.",
  open_campaigns: "Campaigns that are draft, running or paused.",
  event_streams: "Event streams that are open at the same time.",
  uploads: "Uploads of contacts that are read at the same time.",
  conversations: "Live conversations of widget visitors. Guests may hold at most half of them.",
};

export type QuotaName = keyof typeof QUOTAS;
export type Quotas = Record<QuotaName, number>;

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

export interface QuotaUse {
  limit: number;
  used: number;
}

/** Returns the quotas in force: the operator's override, otherwise the plan's. */
export function quotasOf(account: { plan: Plan; quotas: Record<string, number> }): Quotas {
  return eachQuota((name) => account.quotas[name] ?? QUOTAS[name][account.plan]);
}

/** Returns an object with a value for each quota. */
export function eachQuota<T>(of: (name: QuotaName) => T): Record<QuotaName, T> {
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, of(name)])) as Record<QuotaName, T>;
}

/** Returns the message of an exceeded quota: `the account's quota of 100 agents is reached`. */
export function overQuota(name: string, limit: number): string {
  return `the account's quota of ${limit} ${name} is reached`;
}
