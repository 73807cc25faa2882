import { formatNumber } from "../format.ts";

/** What the account may use, and how much of it is used. */
export const limits = {
  title: "Limits and quotas",
  lead: (plan: string) => `Plan: ${plan}. The operators of this service change plans and limits.`,
  calls: "Calls",
  quotas: "What the account holds",
  names: {
    concurrent_calls: "Calls at a time",
    calls_per_minute: "Calls a minute",
    calls_per_day: "Calls a day",
    agents: "Agents",
    tools: "Tools",
    playbooks: "Playbooks",
    faqs: "FAQs",
    api_keys: "API keys",
    widget_keys: "Widget keys",
    credentials: "Carriers",
    numbers: "Phone numbers",
    open_campaigns: "Open campaigns",
    event_streams: "Live views at a time",
    uploads: "Uploads at a time",
  },
  of: (used: string, limit: string) => `${used} of ${limit}`,
  resets: "Counts anew",
  reserve: (calls: number) => `${formatNumber(calls)} of these are kept free of campaigns, for calls that come in.`,
  full: "Full",
  nearlyFull: "Nearly full",
};
