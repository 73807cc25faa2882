import { campaignList } from "../api/lists.ts";
import { useQuery } from "../api/use-query.ts";
import { isOperator } from "../session/session.ts";

/** How often it is asked which campaigns run, ms. */
const ASKED_EVERY_MS = 15_000;

/** How many campaigns run now, for the header. */
export function useRunning(): () => number {
  const campaigns = useQuery(() =>
    Object.assign(campaignList(), { refetchInterval: ASKED_EVERY_MS, enabled: !isOperator() }),
  );
  return () => (campaigns.data?.campaigns ?? []).filter(({ status }) => status === "running").length;
}
