import { campaignList } from "../api/lists.ts";
import { useQuery } from "../api/use-query.ts";
import { isOperator } from "../session/session.ts";

const REFETCH_INTERVAL_MS = 15_000;

export function useRunning(): () => number {
  const campaigns = useQuery(() =>
    Object.assign(campaignList(), { refetchInterval: REFETCH_INTERVAL_MS, enabled: !isOperator() }),
  );
  return () => (campaigns.data?.campaigns ?? []).filter(({ status }) => status === "running").length;
}
