import { api, type Body, data } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { nextOffset } from "../../ui/pages.ts";

/** How many numbers a page has. */
const PAGE = 50;

/** The numbers that are never called, newest first, a page after the other. */
export const doNotCallPages = () => ({
  queryKey: ["do-not-call"],
  queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: number }) =>
    data(api.GET("/api/v1/do-not-call", { params: { query: { limit: PAGE, offset: pageParam } }, signal })),
  initialPageParam: 0,
  getNextPageParam: (page: Body<"ListDoNotCallResponse">) => nextOffset(page, page.numbers.length),
});

/** Has the list ask again, after a change. */
export const doNotCallChanged = () => queries.invalidateQueries({ queryKey: ["do-not-call"] });
