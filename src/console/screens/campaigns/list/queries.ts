import { api, data } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";

interface Asked {
  signal: AbortSignal;
}

/** All campaigns of the account. */
export const campaignList = () => ({
  queryKey: ["campaigns"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/campaigns", { signal })),
});

/** One campaign with its settings. */
export const campaignById = (id: string) => ({
  queryKey: ["campaigns", id],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/campaigns/{id}", { params: { path: { id } }, signal })),
});

/** What a campaign would do if it ran now, and what to look at before. */
export const planOf = (id: string) => ({
  queryKey: ["campaigns", id, "plan"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/campaigns/{id}/plan", { params: { path: { id } }, signal })),
});

/** Has everything about campaigns ask again, after a change. */
export const campaignsChanged = () => queries.invalidateQueries({ queryKey: ["campaigns"] });

/** The account's agents. */
export const agentList = () => ({
  queryKey: ["agents"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/agents", { signal })),
});

/** The account's phone numbers. */
export const numberList = () => ({
  queryKey: ["numbers"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/telephony/numbers", { signal })),
});
