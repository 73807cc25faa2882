import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { installedBefore, installTemplate } from "./install.ts";
import { findTemplates, templateById, templateCategories, templateRecord } from "./templates.ts";

export const marketplace = new OpenAPIHono<AppEnv>();

serve(marketplace, contract.listTemplates, async ({ query: { category, search, limit, offset } }) => {
  const found = findTemplates(category, search);
  const page = found.slice(offset, offset + limit);
  return { agents: await Promise.all(page.map(templateRecord)), total: found.length, limit, offset };
});

serve(marketplace, contract.getTemplate, ({ params }) => templateRecord(catalogTemplate(params.id)));

serve(
  marketplace,
  contract.installTemplate,
  ({ store, principal, params, body, now, newId }) => {
    const template = catalogTemplate(params.id);
    const context = { store, caller: principal, created_by: principal.subject, now, newId };
    return installTemplate(context, template, body?.name ?? template.name);
  },
  ({ store, params }, id) => installedBefore(store, catalogTemplate(params.id), id),
);

serve(marketplace, contract.listCategories, () => ({ categories: templateCategories() }));

function catalogTemplate(id: string) {
  const template = templateById(id);
  if (!template) throw notFound("template");
  return template;
}
