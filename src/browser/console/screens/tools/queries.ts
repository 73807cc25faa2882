import { keepPreviousData } from "@tanstack/query-core";
import { api, type Body, data } from "../../api/client.ts";
import { type QueryContext, query } from "../../api/queries.ts";

export const PAGE = 25;

type Type = Body<"Tool">["implementation_type"];

export const toolPage = (filters: { search?: string; category?: string; type?: Type }, offset: number) => {
  const query = { ...filters, limit: PAGE, offset };
  return {
    queryKey: ["tools", "page", query],
    queryFn: ({ signal }: QueryContext) => data(api.GET("/api/v1/tools", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  };
};

export const toolById = (id: string) =>
  query(["tools", id], (signal) => data(api.GET("/api/v1/tools/{id}", { params: { path: { id } }, signal })));

/** Returns the query of the last runs of a tool, newest first. */
export const toolRuns = (id: string) =>
  query(["tools", id, "runs"], (signal) =>
    data(api.GET("/api/v1/tools/{id}/runs", { params: { path: { id } }, signal })),
  );
