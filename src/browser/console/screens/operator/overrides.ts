import type { Body } from "../../api/client.ts";

export type Cap = keyof Body<"AccountCaps">;
export type Quota = keyof Body<"AccountQuotas">;

/** Values that replace the plan's; null where none does. */
export type Overrides<Name extends string> = Record<Name, number | null>;

/** No overridden cap, in order of display. */
export const PLAN_CAPS: Overrides<Cap> = { concurrent_calls: null, calls_per_minute: null, calls_per_day: null };
/** No overridden quota, in order of display. */
export const PLAN_QUOTAS: Overrides<Quota> = {
  agents: null,
  tools: null,
  playbooks: null,
  faqs: null,
  api_keys: null,
  widget_keys: null,
  credentials: null,
  numbers: null,
  budgets: null,
  webhooks: null,
  versions: null,
  documents: null,
  knowledge_bytes: null,
  open_campaigns: null,
  event_streams: null,
  uploads: null,
  conversations: null,
  knowledge_chunks: null,
  crawl_pages: null,
};
