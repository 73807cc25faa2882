import { api, data } from "./client.ts";

/** The account's agents, to choose one from. */
export const agentList = () => ({
  queryKey: ["agents"],
  queryFn: ({ signal }: { signal: AbortSignal }) => data(api.GET("/api/v1/agents", { signal })),
});
