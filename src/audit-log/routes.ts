import { OpenAPIHono } from "@hono/zod-openapi";
import { desc } from "drizzle-orm";
import { auditLog as auditTable } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { listAuditLog } from "./contract.ts";

export const auditLog = new OpenAPIHono<AppEnv>();

serve(auditLog, listAuditLog, async ({ store, query: { limit, offset } }) => {
  const [entries, total] = await store.read(
    store.select(auditTable, { orderBy: [desc(auditTable.at), desc(auditTable.id)], limit, offset }),
    store.count(auditTable),
  );
  return { entries, total, limit, offset };
});
