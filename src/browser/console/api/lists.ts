import { api, type Body, data } from "./client.ts";
import { query } from "./queries.ts";

// Queries that several screens share, so that they share the cached answer.

export const agentList = () => query(["agents"], (signal) => data(api.GET("/api/v1/agents", { signal })));

export const campaignList = () => query(["campaigns"], (signal) => data(api.GET("/api/v1/campaigns", { signal })));

export const numberList = () => query(["numbers"], (signal) => data(api.GET("/api/v1/telephony/numbers", { signal })));

export const integrationList = () =>
  query(["integrations"], (signal) => data(api.GET("/api/v1/integrations", { signal })));

export const modelList = () => query(["models"], (signal) => data(api.GET("/api/v1/models", { signal })));

/** Returns the query of the account's API keys, newest first. */
export const apiKeyList = () => query(["api-keys"], (signal) => data(api.GET("/api/v1/api-keys", { signal })));

/** Returns the query of everyone who may sign in to the account. */
export const memberList = () => query(["members"], (signal) => data(api.GET("/api/v1/members", { signal })));

/** Returns the query of the account's widget keys, newest first. */
export const widgetKeyList = () => query(["widget-keys"], (signal) => data(api.GET("/api/v1/widget-keys", { signal })));

export const widgetPolicy = (id: string) =>
  query(["agents", id, "widget-settings"], (signal) =>
    data(api.GET("/api/v1/agents/{id}/widget-settings", { params: { path: { id } }, signal })),
  );

/** Returns the query of the account's call limits and current usage. */
export const callLimits = () => query(["call-limits"], (signal) => data(api.GET("/api/v1/call-limits", { signal })));

export const priceList = () => query(["prices"], (signal) => data(api.GET("/api/v1/prices", { signal })));

/** Maximum number of versions listed for an agent. */
const MOST_VERSIONS = 100;

export const agentVersions = (id: string) =>
  query(["agents", id, "versions"], (signal) =>
    data(
      api.GET("/api/v1/agents/{id}/versions", { params: { path: { id }, query: { limit: MOST_VERSIONS } }, signal }),
    ),
  );

/** How often documents that are being read are asked for again, ms. */
const AGAIN_MS = 2_000;
const MOST_DOCUMENTS = 100;

/** Returns the query of the account's newest documents, refetched while any is being read. */
export const documentList = () =>
  Object.assign(
    query(["knowledge"], (signal) =>
      data(api.GET("/api/v1/knowledge", { params: { query: { limit: MOST_DOCUMENTS } }, signal })),
    ),
    {
      refetchInterval: ({ state }: { state: { data?: { documents: Body<"Document">[] } | undefined } }) =>
        state.data?.documents.some(({ status }) => status === "processing") ? AGAIN_MS : (false as const),
    },
  );
