import { api, data } from "./client.ts";
import { query } from "./queries.ts";

// What several areas ask for: one query each, so that they share the answer and what is changed is changed for all.

/** The account's agents. */
export const agentList = () => query(["agents"], (signal) => data(api.GET("/api/v1/agents", { signal })));

/** The account's campaigns. */
export const campaignList = () => query(["campaigns"], (signal) => data(api.GET("/api/v1/campaigns", { signal })));

/** The account's phone numbers. */
export const numberList = () => query(["numbers"], (signal) => data(api.GET("/api/v1/telephony/numbers", { signal })));

/** All integrations, and which of them are ready. */
export const integrationList = () =>
  query(["integrations"], (signal) => data(api.GET("/api/v1/integrations", { signal })));

/** The language models, and what answers for each. */
export const modelList = () => query(["models"], (signal) => data(api.GET("/api/v1/models", { signal })));

/** The account's API keys, newest first. */
export const apiKeyList = () => query(["api-keys"], (signal) => data(api.GET("/api/v1/api-keys", { signal })));

/** Everybody who may sign in to the account. */
export const memberList = () => query(["members"], (signal) => data(api.GET("/api/v1/members", { signal })));

/** The account's widget keys, newest first. */
export const widgetKeyList = () => query(["widget-keys"], (signal) => data(api.GET("/api/v1/widget-keys", { signal })));

/** Who may chat with an agent through a widget. */
export const widgetPolicy = (id: string) =>
  query(["agents", id, "widget-settings"], (signal) =>
    data(api.GET("/api/v1/agents/{id}/widget-settings", { params: { path: { id } }, signal })),
  );

/** How many calls the account may make, and makes now. */
export const callLimits = () => query(["call-limits"], (signal) => data(api.GET("/api/v1/call-limits", { signal })));

/** The prices in force. */
export const priceList = () => query(["prices"], (signal) => data(api.GET("/api/v1/prices", { signal })));

/** Most versions of an agent that are listed. */
const MOST_VERSIONS = 100;

/** The versions of an agent, newest first. */
export const agentVersions = (id: string) =>
  query(["agents", id, "versions"], (signal) =>
    data(
      api.GET("/api/v1/agents/{id}/versions", { params: { path: { id }, query: { limit: MOST_VERSIONS } }, signal }),
    ),
  );
