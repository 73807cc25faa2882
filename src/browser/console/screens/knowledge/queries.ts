import { api, type Body, data } from "../../api/client.ts";
import { query } from "../../api/queries.ts";

const AGAIN_MS = 2_000;
const PAGE = 100;

const isBeingRead = ({ status }: Pick<Body<"Document">, "status">) => status === "processing";

/** Returns the query of one document, refetched while it is being read. */
export const documentById = (id: string) =>
  Object.assign(
    query(["knowledge", id], (signal) => data(api.GET("/api/v1/knowledge/{id}", { params: { path: { id } }, signal }))),
    {
      refetchInterval: ({ state }: { state: { data?: Body<"Document"> | undefined } }) =>
        state.data && isBeingRead(state.data) ? AGAIN_MS : (false as const),
    },
  );

/** Returns the query of the questions for which agents found nothing, the last asked first. */
export const unansweredQuestions = () =>
  query(["unanswered"], (signal) =>
    data(api.GET("/api/v1/knowledge/unanswered", { params: { query: { limit: PAGE } }, signal })),
  );

export const PASSAGES_SHOWN = 20;

/** Returns the query of the passages of a document, fetched again after its text was refreshed. */
export const documentPassages = ({ id, refreshed_at }: Body<"Document">, offset: number) =>
  query(["knowledge", id, "passages", refreshed_at, offset], (signal) => {
    const query = { limit: PASSAGES_SHOWN, offset };
    return data(api.GET("/api/v1/knowledge/{id}/chunks", { params: { path: { id }, query }, signal }));
  });

/** Returns the query of the pages of a document's address, fetched again while its crawl continues. */
export const documentPages = ({ id, crawl, updated_at }: Body<"Document">) =>
  query(["knowledge", id, "pages", JSON.stringify(crawl), updated_at], (signal) =>
    data(api.GET("/api/v1/knowledge/{id}/pages", { params: { path: { id } }, signal })),
  );
