import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, sql } from "drizzle-orm";
import { doNotCall as list } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import * as contract from "./contract.ts";

export const doNotCall = new OpenAPIHono<AppEnv>();

serve(doNotCall, contract.listDoNotCall, async ({ store, query: { limit, offset } }) => {
  const [numbers, total] = await store.read(
    store.select(list, { orderBy: [desc(list.created_at), desc(list.phone_number)], limit, offset }),
    store.count(list),
  );
  return { numbers, total, limit, offset };
});

serve(doNotCall, contract.addDoNotCall, async ({ store, body, now }) => {
  const { numbers, reason = null } = body;
  const created_at = new Date(now).toISOString();
  const [first = ""] = numbers;
  const [{ meta }] = await store.write(
    {
      action: "create",
      resource: "do_not_call",
      resource_id: numbers.length === 1 ? first : `${numbers.length} numbers`,
    },
    store.upsertMany(
      list,
      numbers.map((phone_number) => ({ phone_number })),
      {
        target: [list.account, list.phone_number],
        columns: ["reason"],
        when: sql`false`,
        common: { reason, created_at },
      },
    ),
  );
  return { added: meta.changes };
});

serve(doNotCall, contract.removeDoNotCall, async ({ store, params: { e164 } }) => {
  const [gone] = await store.write(
    { action: "delete", resource: "do_not_call", resource_id: e164 },
    store.delete(list, eq(list.phone_number, e164)),
  );
  if (gone.length === 0) throw notFound("number");
});
