import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { all } from "../../kernel/db/conditions.ts";
import { erasedOptOuts, doNotCall as list } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { assertMayNameNumbers } from "../../kernel/http/hidden-filters.ts";
import { invalidNumber } from "../../kernel/http/issues.ts";
import { serve } from "../../kernel/http/serve.ts";
import { canonicalNumber } from "../../kernel/numbers/read-number.ts";
import { erasedAmong, erasedRead } from "./blocked.ts";
import * as contract from "./contract.ts";
import { listNumbers } from "./list-numbers.ts";

export const doNotCall = new OpenAPIHono<AppEnv>();

serve(doNotCall, contract.listDoNotCall, async ({ store, principal, query: { phone_number, limit, offset } }) => {
  assertMayNameNumbers(principal, phone_number);
  const where = phone_number === undefined ? undefined : eq(list.phone_number, phone_number);
  const [numbers, total] = await store.read(
    store.select(list, { where, orderBy: [desc(list.created_at), desc(list.phone_number)], limit, offset }),
    store.count(list, where),
  );
  return { numbers, total, limit, offset };
});

serve(
  doNotCall,
  contract.addDoNotCall,
  async ({ store, body, newId }) => {
    const { reason = null } = body;
    // Different spellings of one number count once.
    const numbers = [...new Set(body.numbers)];
    const created_at = timeOf(newId());
    const [first = ""] = numbers;
    const [{ meta }] = await store.write(
      {
        action: "create",
        resource: "do_not_call",
        resource_id: numbers.length === 1 ? first : `${numbers.length} numbers`,
      },
      ...listNumbers(store, numbers, { reason, created_at, conversation_id: null, agent_id: null }),
      // An entry that a person also adds by hand stays when the conversation's opt-out is withdrawn.
      store.update(list, { conversation_id: null }, all(among(numbers), isNotNull(list.conversation_id))),
    );
    return { added: meta.changes };
  },
  async ({ store, body }, id) => {
    // Entries added by the first attempt have its time. If there are none, repeating the attempt adds none either.
    const isAdded = all(eq(list.created_at, timeOf(id)), among(body.numbers));
    const [added] = await store.read(store.count(list, isAdded));
    return added > 0 ? { added } : null;
  },
);

const among = (numbers: string[]) =>
  sql`${list.phone_number} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;

/** Returns when an id was generated. Attempts under one idempotency key have the same time. */
function timeOf(id: string): string {
  return new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toISOString();
}

serve(doNotCall, contract.removeDoNotCall, async ({ env, store, params }) => {
  // A number that a caller's carrier reported is listed unchanged, even if it is not valid.
  const e164 = canonicalNumber(params.e164) ?? params.e164;
  const entry = { action: "delete", resource: "do_not_call", resource_id: e164 } as const;
  const [removed, erased] = await store.write(
    entry,
    store.delete(list, eq(list.phone_number, e164)),
    erasedRead(store, [e164]),
  );
  const kept = (await erasedAmong({ env, store }, [e164], erased)).get(e164);
  if (kept === undefined) {
    if (removed.length > 0) return;
    throw canonicalNumber(e164) === null ? invalidNumber("e164", e164) : notFound("number");
  }
  const removal = store.delete(erasedOptOuts, inArray(erasedOptOuts.id, kept));
  if (removed.length === 0) await store.write(entry, removal);
  else await store.record(removal);
});
