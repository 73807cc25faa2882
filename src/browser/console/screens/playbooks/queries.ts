import { keepPreviousData } from "@tanstack/query-core";
import { api, data } from "../../api/client.ts";
import { type Asked, queries } from "../../api/queries.ts";

/** How many playbooks a page of the list has. */
export const PAGE = 25;
/** The most that the API gives at once. */
const MOST = 100;

/** A page of the playbooks that meet the filters. */
export const playbookPage = (filters: { search?: string; category?: string }, offset: number) => {
  const query = { ...filters, limit: PAGE, offset };
  return {
    queryKey: ["playbooks", "page", query],
    queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/playbooks", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  };
};

/** What playbooks are listed under: their API counts no categories. */
export const playbookCategories = () => ({
  queryKey: ["playbooks", "categories"],
  queryFn: async ({ signal }: Asked) => {
    const { playbooks } = await data(api.GET("/api/v1/playbooks", { params: { query: { limit: MOST } }, signal }));
    return [...new Set(playbooks.map(({ category }) => category))].sort();
  },
});

/** One playbook. */
export const playbookById = (id: string) => ({
  queryKey: ["playbooks", id],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/playbooks/{id}", { params: { path: { id } }, signal })),
});

/** The names of the tools there are, to be offered where a playbook names some. */
export const toolNames = () => ({
  queryKey: ["tools", "names"],
  queryFn: async ({ signal }: Asked) => {
    const { tools } = await data(api.GET("/api/v1/tools", { params: { query: { limit: MOST } }, signal }));
    return tools.map(({ name }) => name);
  },
});

/** Has every list and panel ask again, after a change. */
export const playbooksChanged = () => queries.invalidateQueries({ queryKey: ["playbooks"] });
