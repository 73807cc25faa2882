import { api, data } from "../../../api/client.ts";

interface Asked {
  signal: AbortSignal;
}

/** All campaigns of the account. */
export const campaignList = () => ({
  queryKey: ["campaigns"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/campaigns", { signal })),
});

/** What a campaign would do if it ran now, and what to look at before. */
export const planOf = (id: string) => ({
  queryKey: ["campaigns", id, "plan"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/campaigns/{id}/plan", { params: { path: { id } }, signal })),
});

/** The account's phone numbers. */
export const numberList = () => ({
  queryKey: ["numbers"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/telephony/numbers", { signal })),
});
