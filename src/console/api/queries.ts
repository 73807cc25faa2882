import { QueryClient } from "@tanstack/solid-query";
import { ApiFailure } from "./client.ts";

/** For how long an answer is shown again without asking, ms; the service answers unchanged ones with a 304. */
const FRESH_MS = 10_000;
const MOST_RETRIES = 2;

/** The cache of what the API answered. Its keys begin with the collection: `["agents"]`, `["agents", id]`. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => error instanceof ApiFailure && error.passing && failures < MOST_RETRIES,
    },
    mutations: { retry: false },
  },
});
