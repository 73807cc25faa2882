import { campaignList } from "../api/lists.ts";
import { useQuery } from "../api/use-query.ts";
import { isOperator } from "../session/session.ts";

/** How often the running campaigns are fetched, ms. */
const REFETCH_INTERVAL_MS = 15_000;

/** How many campaigns run now, for the header. */
export function useRunning(): () => number {
  const campaigns = useQuery(() =>
    Object.assign(campaignList(), { refetchInterval: REFETCH_INTERVAL_MS, enabled: !isOperator() }),
  );
  return () => (campaigns.data?.campaigns ?? []).filter(({ status }) => status === "running").length;
}
