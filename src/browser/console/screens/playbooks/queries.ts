import { keepPreviousData } from "@tanstack/query-core";
import { api, data } from "../../api/client.ts";
import { type QueryContext, query } from "../../api/queries.ts";

export const PAGE = 25;
/** Maximum number that the API returns at once. */
const MOST = 100;

export const playbookPage = (filters: { search?: string; category?: string }, offset: number) => {
  const query = { ...filters, limit: PAGE, offset };
  return {
    queryKey: ["playbooks", "page", query],
    queryFn: ({ signal }: QueryContext) => data(api.GET("/api/v1/playbooks", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  };
};

/** Returns the query of the categories in use. The API of playbooks has no list of them. */
export const playbookCategories = () =>
  query(["playbooks", "categories"], async (signal) => {
    const { playbooks } = await data(api.GET("/api/v1/playbooks", { params: { query: { limit: MOST } }, signal }));
    return [...new Set(playbooks.map(({ category }) => category))].sort();
  });

export const playbookById = (id: string) =>
  query(["playbooks", id], (signal) => data(api.GET("/api/v1/playbooks/{id}", { params: { path: { id } }, signal })));

/** Returns the query of the names of the account's tools, as suggestions for a playbook. */
export const toolNames = () =>
  query(["tools", "names"], async (signal) => {
    const { tools } = await data(api.GET("/api/v1/tools", { params: { query: { limit: MOST } }, signal }));
    return tools.map(({ name }) => name);
  });
