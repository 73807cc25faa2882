import { counted, formatDuration, formatNumber } from "../format.ts";
import { modelNamed } from "./prices.ts";

/** Texts for usage and its cost. */
export const usage = {
  title: "Usage",
  lead: "What calls and conversations used and what they cost, by UTC day.",
  prices: "Prices",
  filters: {
    period: "Period",
    periods: {
      "7d": "Last 7 days",
      "30d": "Last 30 days",
      "90d": "Last 90 days",
      month: "This month",
      last_month: "Last month",
      days: "Choose days",
    },
    from: "From",
    until: "Until",
  },
  wrongDays: "The first day must not be after the last, and the period can be at most 366 days.",
  emptyTitle: "Nothing used in this period",
  empty: "Usage appears here once calls are placed or someone talks to an agent. Try a longer period.",
  totals: {
    cost: "Cost",
    calls: "Calls",
    answered: "Answered",
    conversations: "Conversations",
    minutes: "Call minutes",
    tokens: "Tokens",
  },
  atLeast: (amount: string) => `${amount} or more`,
  byDay: "By day",
  plots: { cost: "Cost", conversations: "Conversations", minutes: "Call minutes", tokens: "Tokens" },
  noCost: "Nothing in this period has a known cost.",
  allFree: "Everything in this period was free.",
  noConversations: "No conversations in this period.",
  noMinutes: "No calls were answered in this period.",
  noTokens: "No tokens were used in this period.",
  plotLabel: (what: string) => `${what} by day`,
  tokens: { input: "Input", cached: "Cached input", output: "Output" },
  by: "Usage by",
  byLabel: (group: string) => `Usage by ${group.toLowerCase()}`,
  groups: { agent: "Agent", campaign: "Campaign", api_key: "API key", kind: "Channel", model: "Model" },
  none: {
    agent: "No agent",
    campaign: "No campaign",
    api_key: "No API key",
    kind: "–",
    model: "Calls, and conversations in progress",
  },
  modelNamed,
  kinds: { call: "Phone", widget: "Widget", test: "Test" },
  columns: {
    calls: "Calls",
    answered: "Answered",
    conversations: "Conversations",
    minutes: "Call minutes",
    input: "Input tokens",
    output: "Output tokens",
    tools: "Tool runs",
    cost: "Cost",
  },
  incompleteCost: (conversations: number) =>
    `Incomplete: a price is unknown for ${counted(conversations, "conversation", "conversations")}`,
  incomplete: {
    title: "The cost is incomplete.",
    lead: (incomplete: number, all: number) =>
      `${formatNumber(incomplete)} of ${counted(all, "conversation", "conversations")} used something whose price is unknown, so they cost more than is shown.`,
    missing: "Without a price:",
    setSince: "Their missing prices have been set since. Conversations that had ended by then keep their cost.",
    latest: "According to the latest conversations of this period.",
  },
};

export const cost = {
  title: "Cost",
  live: "Known once the conversation has ended.",
  notYet: "Not known yet.",
  nothing: "Nothing was used that has a price.",
  columns: { what: "Item", quantity: "Quantity", price: "Price", amount: "Amount" },
  quantity: {
    million_tokens: (quantity: number) => counted(Math.round(quantity * 1_000_000), "token", "tokens"),
    thousand_characters: (quantity: number) => counted(Math.round(quantity * 1_000), "character", "characters"),
    minute: (quantity: number) => `${formatDuration(quantity * 60)} min`,
    started_minute: (quantity: number) => `${formatNumber(quantity)} min`,
  },
  total: "Total",
  totalPriced: "Total of known prices",
  unknown: "Unknown",
  incomplete: "The conversation cost more than this. Without a price:",
};
