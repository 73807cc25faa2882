import { formatShare } from "../format.ts";

/** What may be used up in a day or month. */
export const budgets = {
  title: "Budgets",
  lead: "How much may be used in a day or month, and what happens then. Guests of the widget may use half of any budget.",
  add: "New budget",
  one: "Budget",
  emptyTitle: "No budgets yet",
  empty: "Limit the tokens or call minutes of the account, an agent, a campaign or an API key.",
  columns: { what: "For", used: "Used", action: "When reached", resets: "Resets" },
  scopes: { account: "Whole account", agent: "Agent", campaign: "Campaign", api_key: "API key" },
  periods: { day: "Each day (UTC)", month: "Each month (UTC)" },
  units: { tokens: "Tokens", call_minutes: "Call minutes", usd_micros: "Costs (millionths of a dollar)" },
  actions: { warn: "Only warn", stop_new: "Stop new ones", end: "End live ones too" },
  actionHints: {
    warn: "Nothing stops. The audit log says when the limit is near and when it is reached.",
    stop_new: "New conversations and calls are refused, and campaigns pause. Live ones may go past the limit.",
    end: "Live conversations end too, with a spoken sentence. The limit is never passed.",
  },
  of: (unit: string, period: string) => `${unit} · ${period}`,
  gone: "Deleted",
  form: {
    lead: "It counts what is used from now on.",
    scope: "For",
    id: { agent: "Agent", campaign: "Campaign", api_key: "API key" },
    unit: "Counts",
    period: "Period",
    limit: "Limit",
    warnAt: "Warn at (percent of the limit)",
    warnAtHint: "Such as 80 or 50, 80. Several are separated by commas. Each is one entry in the audit log.",
    action: "When the limit is reached",
    submit: "Create budget",
  },
  facts: { warnings: "Warns at", created: "Created", id: "ID" },
  shares: (shares: number[]) => (shares.length === 0 ? "–" : shares.map(formatShare).join(", ")),
  saved: "Budget saved",
  remove: { title: "Delete this budget?", body: "Nothing is held to it any more, and what it counted is forgotten." },
};
