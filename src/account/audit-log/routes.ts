import { OpenAPIHono, z } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { all } from "../../kernel/db/conditions.ts";
import { auditLog as auditTable } from "../../kernel/db/schema/index.ts";
import { maskedNumber } from "../../kernel/http/content.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { serve } from "../../kernel/http/serve.ts";
import { seesContacts } from "../../kernel/scopes.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { listAuditLog, listOperatorAuditLog } from "./contract.ts";
import { listedEntries, wanted } from "./list-entries.ts";

export const auditLog = new OpenAPIHono<AppEnv>();

/** The end of a page: the time and id of its last entry, and the number of entries to skip after it. */
const cursor = z.tuple([z.string(), z.string(), z.number()]);

serve(auditLog, listAuditLog, async ({ env, store, principal, query: { limit, offset, after, ...filters } }) => {
  const list = { account: store.account, list: "audit-log" };
  const [at, id, left] = after === undefined ? [] : await openCursor(env, list, after, cursor);
  const start = {
    after: at === undefined || id === undefined ? null : { at, id },
    skip: offset + (left ?? 0),
  };
  const context = { store, ledger: new Ledger({ env, store }) };
  const { rows, next, total, total_at_least } = await listedEntries(context, filters, start, limit);
  return {
    entries: seesContacts(principal) ? rows : rows.map(withoutPerson),
    total,
    total_at_least,
    limit,
    offset,
    next: next && (await sealCursor(env, list, [next.after.at, next.after.id, next.skip])),
  };
});

/** Masks the person in an entry about a number or a visitor. */
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
