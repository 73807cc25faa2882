import { api, data } from "../../api/client.ts";
import { query } from "../../api/queries.ts";

const PAGE = 30;

const KINDS = ["call", "widget", "test"] as const;

const VERDICTS = ["success", "failure", "unknown"] as const;

/** The filters of the list, from its address. */
export type Wanted = Partial<Record<(typeof FILTERS)[number], string>>;

export const FILTERS = [
  "agent_id",
  "campaign_id",
  "contact_id",
  "call_id",
  "kind",
  "disposition",
  "phone_number",
  "successful",
  "since",
  "until",
] as const;

export const conversationPages = (wanted: Wanted) => {
  const { kind: named, successful: verdict, ...others } = wanted;
  const kind = KINDS.find((each) => each === named);
  const successful = VERDICTS.find((each) => each === verdict);
  return {
    queryKey: ["conversations", "list", wanted],
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string }) => {
      const query = {
        ...others,
        limit: PAGE,
        ...(kind && { kind }),
        ...(successful && { successful }),
        ...(pageParam !== "" && { after: pageParam }),
      };
      return data(api.GET("/api/v1/conversations", { params: { query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: ({ next }: { next: string | null }) => next,
  };
};

export const conversationById = (id: string) =>
  query(["conversations", id], (signal) =>
    data(api.GET("/api/v1/conversations/{id}", { params: { path: { id } }, signal })),
  );

export const traceOf = (id: string) =>
  query(["conversations", id, "trace"], (signal) =>
    data(api.GET("/api/v1/conversations/{id}/trace", { params: { path: { id } }, signal })),
  );
