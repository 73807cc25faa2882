/**
 * Every D1 table, with one file per area. Account data is keyed by (account, id), and children reference their parent
 * by (account, id), so that the database itself refuses a row of one account that refers to a row of another. Times are
 * ISO 8601 UTC text.
 */
export * from "./account-days.ts";
export * from "./account-deletions.ts";
export * from "./accounts.ts";
export * from "./agent-tests.ts";
export * from "./agent-versions.ts";
export * from "./agents.ts";
export * from "./budgets.ts";
export * from "./call-settings.ts";
export * from "./campaigns.ts";
export * from "./catalogue.ts";
export * from "./disclosure.ts";
export * from "./do-not-call.ts";
export * from "./documents.ts";
export * from "./erasures.ts";
export * from "./members.ts";
export * from "./object-gauges.ts";
export * from "./operator-tokens.ts";
export * from "./pending-events.ts";
export * from "./prices.ts";
export * from "./privacy.ts";
export * from "./quota-ceilings.ts";
export * from "./restores.ts";
export * from "./scheduled-jobs.ts";
export * from "./sign-in.ts";
export * from "./telephony.ts";
export * from "./webhooks.ts";
export * from "./widget.ts";
