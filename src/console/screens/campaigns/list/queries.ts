import { api, data } from "../../../api/client.ts";

interface Asked {
  signal: AbortSignal;
}

/** What a campaign would do if it ran now, and what to look at before. */
export const planOf = (id: string) => ({
  queryKey: ["campaigns", id, "plan"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/campaigns/{id}/plan", { params: { path: { id } }, signal })),
});
