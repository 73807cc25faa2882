import { keepPreviousData } from "@tanstack/query-core";
import { ApiFailure, api, type Body, data } from "../../api/client.ts";
import { invalidate, type QueryContext, query } from "../../api/queries.ts";

export const PAGE = 24;

export const templatePage = (filters: { search?: string; category?: string }, offset: number) => {
  const query = { ...filters, limit: PAGE, offset };
  return {
    queryKey: ["templates", "page", query],
    queryFn: ({ signal }: QueryContext) => data(api.GET("/api/v1/marketplace/agents", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  };
};

export const templateCategories = () =>
  query(["templates", "categories"], (signal) => data(api.GET("/api/v1/marketplace/categories", { signal })));

export const templateById = (id: string) =>
  query(["templates", id], (signal) =>
    data(api.GET("/api/v1/marketplace/agents/{id}", { params: { path: { id } }, signal })),
  );

/**
 * Returns the query of the account's own copies of a template's tools. Tools that the account doesn't have yet are left
 * out.
 */
export const toolsOf = ({ id, tools }: Body<"AgentTemplate">) =>
  query(["tools", "of-template", id], async (signal) => {
    const found = await Promise.all(tools.map(({ name }) => toolByName(name, signal)));
    return found.filter((tool) => tool !== undefined);
  });

async function toolByName(name: string, signal: AbortSignal): Promise<Body<"Tool"> | undefined> {
  try {
    return await data(api.GET("/api/v1/tools/{id}", { params: { path: { id: name } }, signal }));
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  }
}

/** Refetches every list that an installed template adds to. */
export const installedTemplate = () => invalidate("agents", "tools", "playbooks", "faqs");
