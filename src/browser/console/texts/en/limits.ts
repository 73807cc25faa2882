import { formatNumber } from "../format.ts";

/** Texts for the account's limits and usage. */
export const limits = {
  title: "Limits and quotas",
  lead: (plan: string) =>
    `Your account is on the ${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan. Contact your administrator to change plans or limits.`,
  calls: "Calls",
  quotas: "Quotas",
  names: {
    concurrent_calls: "Concurrent calls",
    calls_per_minute: "Calls per minute",
    calls_per_day: "Calls per day",
    agents: "Agents",
    tools: "Tools",
    playbooks: "Playbooks",
    faqs: "FAQs",
    api_keys: "API keys",
    widget_keys: "Widget keys",
    webhooks: "Webhooks",
    credentials: "Carriers",
    numbers: "Phone numbers",
    open_campaigns: "Open campaigns",
    event_streams: "Concurrent live views",
    uploads: "Concurrent uploads",
    budgets: "Budgets",
    versions: "Agent versions",
    documents: "Documents",
    knowledge_bytes: "Document size (bytes)",
    knowledge_chunks: "Document passages",
    crawl_pages: "Pages fetched per day",
    conversations: "Live widget conversations",
  },
  of: (used: string, limit: string) => `${used} of ${limit}`,
  resets: "Resets",
  reserve: (calls: number) =>
    `${formatNumber(calls)} of these ${calls === 1 ? "is" : "are"} reserved for inbound calls.`,
  full: "Limit reached",
  nearlyFull: "Near the limit",
};
