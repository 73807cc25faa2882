import { api, data } from "../../api/client.ts";
import { pagesOf } from "../../ui/pages.ts";

/** Returns the query of the numbers on the list, newest first, page by page. */
export const doNotCallPages = () =>
  pagesOf(
    ["do-not-call"],
    50,
    (page, signal) => data(api.GET("/api/v1/do-not-call", { params: { query: page }, signal })),
    ({ numbers }) => numbers,
  );
