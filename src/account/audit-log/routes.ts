import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, gte, lt, type SQL } from "drizzle-orm";
import { all } from "../../kernel/db/conditions.ts";
import { auditLog as auditTable } from "../../kernel/db/schema/index.ts";
import { maskedNumber } from "../../kernel/http/content.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { seesContacts } from "../../kernel/scopes.ts";
import { type AuditFilters, listAuditLog, listOperatorAuditLog } from "./contract.ts";

export const auditLog = new OpenAPIHono<AppEnv>();

serve(auditLog, listAuditLog, async ({ store, principal, query: { limit, offset, ...filters } }) => {
  const where = wanted(filters);
  const [entries, total] = await store.read(
    store.select(auditTable, { where, orderBy: [desc(auditTable.at), desc(auditTable.id)], limit, offset }),
    store.count(auditTable, where),
  );
  return { entries: seesContacts(principal) ? entries : entries.map(withoutPerson), total, limit, offset };
});

/** The entry with the person masked where it is about a number or a visitor. */
function withoutPerson<E extends { resource: string; resource_id: string }>(entry: E): E {
  const isAboutPerson =
    entry.resource === "visitor_token" || (entry.resource === "do_not_call" && E164.test(entry.resource_id));
  if (!isAboutPerson) return entry;
  return Object.assign({}, entry, { resource_id: maskedNumber(entry.resource_id) });
}

const E164 = /^\+\d+$/;

serve(auditLog, listOperatorAuditLog, async ({ operatorStore, query: { limit, offset, account, ...filters } }) => {
  const about = account === undefined ? undefined : eq(auditTable.about_account, account);
  const [rows, total] = await operatorStore.auditLog(all(about, wanted(filters)), { limit, offset });
  return { entries: rows.map((row) => ({ ...row, account: row.about_account })), total, limit, offset };
});

/** The entries that meet all filters. */
function wanted({ action, resource, actor, since, until }: AuditFilters): SQL {
  return all(
    action === undefined ? undefined : eq(auditTable.action, action),
    resource === undefined ? undefined : eq(auditTable.resource, resource),
    actor === undefined ? undefined : eq(auditTable.actor, actor),
    since === undefined ? undefined : gte(auditTable.at, since),
    until === undefined ? undefined : lt(auditTable.at, until),
  );
}
