import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { erasures as erasureTable } from "../../kernel/db/schema/index.ts";
import { erasureObject } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { invalid, notFound } from "../../kernel/http/errors.ts";
import { e164 } from "../../kernel/http/fields.ts";
import { invalidNumber } from "../../kernel/http/issues.ts";
import { serve } from "../../kernel/http/serve.ts";
import { canonicalNumber } from "../../kernel/numbers/read-number.ts";
import type { Subject } from "../../kernel/personal-data.ts";
import { listedCalls } from "../../records/ledger/call-lists.ts";
import { Ledger, type LedgerContext } from "../../records/ledger/ledger.ts";
import * as contract from "./contract.ts";
import { assertNotTooMany, receiptOf } from "./receipts.ts";

export const erasures = new OpenAPIHono<AppEnv>();

serve(
  erasures,
  contract.createErasure,
  async ({ c, env, store, body, newId }) => {
    const id = newId();
    const subject = await subjectOf({ env, store }, body);
    const begun = await erasureObject(env, store.account, id).begin(subject, c.get("author"));
    assertNotTooMany(begun);
    const receipt = await find(store, id);
    if (!receipt) throw notFound("erasure");
    return receipt;
  },
  ({ store }, id) => find(store, id),
);

serve(erasures, contract.listErasures, async ({ store, query: { limit, offset } }) => {
  const [rows, total] = await store.read(
    store.select(erasureTable, { orderBy: [desc(erasureTable.created_at), desc(erasureTable.id)], limit, offset }),
    store.count(erasureTable),
  );
  return { erasures: rows.map(receiptOf), total, limit, offset };
});

serve(erasures, contract.getErasure, async ({ store, params: { id } }) => {
  const receipt = await find(store, id);
  if (!receipt) throw notFound("erasure");
  return receipt;
});

async function find(store: AccountStore, id: string) {
  const [row] = await store.read(store.first(erasureTable, { where: eq(erasureTable.id, id) }));
  return row ? receiptOf(row) : null;
}

/** Checks whether a call with this invalid number is on record. Carriers may report any text as the caller. */
async function isReported(context: LedgerContext, number: string): Promise<boolean> {
  if (!e164.safeParse(number).success) return false;
  const { rows } = await listedCalls(new Ledger(context), { phone_number: number }, { before: null, skip: 0 }, 1);
  return rows.length > 0;
}

interface Named {
  phone_number?: string | undefined;
  visitor_id?: string | undefined;
  conversation_id?: string | undefined;
}

/** @throws ApiError 400 `invalid_number` for an invalid number, unless a carrier has reported it */
async function subjectOf(context: LedgerContext, named: Named): Promise<Subject> {
  const { phone_number, visitor_id, conversation_id } = named;
  if (phone_number !== undefined) {
    const number = canonicalNumber(phone_number);
    if (number !== null) return { phone_number: number };
    if (await isReported(context, phone_number)) return { phone_number };
    throw invalidNumber("phone_number", phone_number);
  }
  if (visitor_id !== undefined) return { visitor_id };
  // Ids are stored in lower case.
  if (conversation_id !== undefined) return { conversation_id: conversation_id.toLowerCase() };
  throw invalid("send phone_number, visitor_id or conversation_id");
}
