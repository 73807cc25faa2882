import { OpenAPIHono } from "@hono/zod-openapi";
import { and, asc, eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { changedFields } from "../db/audit-changes.ts";
import { tools as toolTable } from "../db/schema/index.ts";
import { contains } from "../db/search.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { changed, countsOf, deleteItem, displayName, findItem, refuseTakenName } from "../http/items.ts";
import * as contract from "./contract.ts";

export const tools = new OpenAPIHono<AppEnv>();

serve(tools, contract.listTools, async ({ store, query }) => {
  const { category, type, search, limit, offset } = query;
  const others = and(
    type === undefined ? undefined : eq(toolTable.implementation_type, type),
    contains([toolTable.name, toolTable.display_name, toolTable.description], search),
  );
  const where = and(others, category === undefined ? undefined : eq(toolTable.category, category));
  const [rows, counts] = await store.read(
    store.select(toolTable, { where, orderBy: [asc(toolTable.name)], limit, offset }),
    store.countBy(toolTable, toolTable.category, others),
  );
  const { categories, sum } = countsOf(counts);
  return { tools: rows, total: category === undefined ? sum : (categories[category] ?? 0), limit, offset, categories };
});

serve(tools, contract.createTool, async ({ store, body, now }) => {
  const id = uuidv7({ msecs: now });
  const at = new Date(now).toISOString();
  const row = {
    ...body,
    id,
    display_name: body.display_name ?? displayName(body.name),
    is_default: false,
    modified_from_default: false,
    created_at: at,
    updated_at: at,
  };
  const entry = { action: "create", resource: "tool", resource_id: id };
  await refuseTakenName(store.write(entry, store.insert(toolTable, row)), "tool");
  return row;
});

serve(tools, contract.getTool, ({ store, params }) => findItem(store, toolTable, params.id, "tool"));

serve(tools, contract.updateTool, async ({ store, params, body, now }) => {
  const before = await findItem(store, toolTable, params.id, "tool");
  const [[row]] = await store.write(
    { action: "update", resource: "tool", resource_id: before.id, changes: changedFields(before, body) },
    store.update(toolTable, { ...body, ...changed(before, now) }, eq(toolTable.id, before.id)),
  );
  if (!row) throw notFound("tool");
  return row;
});

serve(tools, contract.deleteTool, ({ store, params }) => deleteItem(store, toolTable, params.id, "tool"));
