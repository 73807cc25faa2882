import { api, data } from "./client.ts";
import type { Asked } from "./queries.ts";

// What several areas ask for: one query each, so that they share the answer and what is changed is changed for all.

/** The account's agents. */
export const agentList = () => ({
  queryKey: ["agents"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/agents", { signal })),
});

/** The account's campaigns. */
export const campaignList = () => ({
  queryKey: ["campaigns"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/campaigns", { signal })),
});

/** The account's phone numbers. */
export const numberList = () => ({
  queryKey: ["numbers"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/telephony/numbers", { signal })),
});

/** All integrations, and which of them are ready. */
export const integrationList = () => ({
  queryKey: ["integrations"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/integrations", { signal })),
});

/** The language models, and what answers for each. */
export const modelList = () => ({
  queryKey: ["models"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/models", { signal })),
});

/** The account's API keys, newest first. */
export const apiKeyList = () => ({
  queryKey: ["api-keys"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/api-keys", { signal })),
});

/** The account's widget keys, newest first. */
export const widgetKeyList = () => ({
  queryKey: ["widget-keys"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/widget-keys", { signal })),
});

/** Who may chat with an agent through a widget. */
export const widgetPolicy = (id: string) => ({
  queryKey: ["agents", id, "widget-settings"],
  queryFn: ({ signal }: Asked) =>
    data(api.GET("/api/v1/agents/{id}/widget-settings", { params: { path: { id } }, signal })),
});

/** How many calls the account may make, and makes now. */
export const callLimits = () => ({
  queryKey: ["call-limits"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/call-limits", { signal })),
});
