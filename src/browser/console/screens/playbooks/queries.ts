import { keepPreviousData } from "@tanstack/query-core";
import { api, data } from "../../api/client.ts";
import { type QueryContext, query } from "../../api/queries.ts";

/** How many playbooks a page of the list has. */
export const PAGE = 25;
/** The most that the API gives at once. */
const MOST = 100;

/** A page of the playbooks that meet the filters. */
export const playbookPage = (filters: { search?: string; category?: string }, offset: number) => {
  const query = { ...filters, limit: PAGE, offset };
  return {
    queryKey: ["playbooks", "page", query],
    queryFn: ({ signal }: QueryContext) => data(api.GET("/api/v1/playbooks", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  };
};

/** What playbooks are listed under: their API counts no categories. */
export const playbookCategories = () =>
  query(["playbooks", "categories"], async (signal) => {
    const { playbooks } = await data(api.GET("/api/v1/playbooks", { params: { query: { limit: MOST } }, signal }));
    return [...new Set(playbooks.map(({ category }) => category))].sort();
  });

/** One playbook. */
export const playbookById = (id: string) =>
  query(["playbooks", id], (signal) => data(api.GET("/api/v1/playbooks/{id}", { params: { path: { id } }, signal })));

/** The names of the tools there are, to be offered where a playbook names some. */
export const toolNames = () =>
  query(["tools", "names"], async (signal) => {
    const { tools } = await data(api.GET("/api/v1/tools", { params: { query: { limit: MOST } }, signal }));
    return tools.map(({ name }) => name);
  });
