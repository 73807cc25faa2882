import { keepPreviousData } from "@tanstack/query-core";
import { api, type Body, data } from "../../api/client.ts";
import { type QueryContext, query } from "../../api/queries.ts";

/** How many tools a page of the list has. */
export const PAGE = 25;

type Type = Body<"Tool">["implementation_type"];

/** A page of the tools that meet the filters, with how many each category has. */
export const toolPage = (filters: { search?: string; category?: string; type?: Type }, offset: number) => {
  const query = { ...filters, limit: PAGE, offset };
  return {
    queryKey: ["tools", "page", query],
    queryFn: ({ signal }: QueryContext) => data(api.GET("/api/v1/tools", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  };
};

/** One tool, by its id or its name. */
export const toolById = (id: string) =>
  query(["tools", id], (signal) => data(api.GET("/api/v1/tools/{id}", { params: { path: { id } }, signal })));

/** The last runs of a tool, newest first. */
export const toolRuns = (id: string) =>
  query(["tools", id, "runs"], (signal) =>
    data(api.GET("/api/v1/tools/{id}/runs", { params: { path: { id } }, signal })),
  );
