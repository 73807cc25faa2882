import { keepPreviousData } from "@tanstack/query-core";
import { api, type Body, data } from "../../api/client.ts";
import { integrationsIn } from "../../api/integration-references.ts";
import { invalidate, type QueryContext, query } from "../../api/queries.ts";

type Status = Body<"Integration">["status"];

const MAX_TOOLS = 100;

export const integrationsBy = (filters: { category?: string; status?: Status }) => ({
  queryKey: ["integrations", "list", filters],
  queryFn: ({ signal }: QueryContext) => data(api.GET("/api/v1/integrations", { params: { query: filters }, signal })),
  placeholderData: keepPreviousData,
});

export const integrationById = (id: string) =>
  query(["integrations", id], (signal) =>
    data(api.GET("/api/v1/integrations/{id}", { params: { path: { id } }, signal })),
  );

export const toolsUsing = (integration: string) =>
  query(["tools", "using", integration], async (signal) => {
    const using: Body<"Tool">[] = [];
    for (let offset = 0, total = 1; offset < total; offset += MAX_TOOLS) {
      const query = { type: "http" as const, limit: MAX_TOOLS, offset };
      const page = await data(api.GET("/api/v1/tools", { params: { query }, signal }));
      total = page.total;
      using.push(
        ...page.tools.filter(({ implementation_config }) =>
          integrationsIn(implementation_config).includes(integration),
        ),
      );
    }
    return using;
  });

export const integrationsChanged = () => invalidate("integrations", "models", "voices");
