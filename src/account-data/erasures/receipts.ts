import { eq, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { erasures } from "../../kernel/db/schema/index.ts";
import { sumOf } from "../../kernel/erasure/counts.ts";
import { tooMany } from "../../kernel/http/errors.ts";
import type { Subject } from "../../kernel/personal-data.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import type { Job } from "./job-store.ts";

/** The maximum number of pending erasures of an account, because each one searches all of the account's data. */
const MOST_PENDING = 20;
/** How far back D1's Time Travel and the objects' point-in-time recovery reach, days. */
const RESTORE_DAYS = 30;

type ReceiptRow = typeof erasures.$inferSelect;
const KINDS = ["phone_number", "visitor_id", "conversation_id"] as const;

/** Records an erasure with its entry in the audit log. Idempotent. Returns false if too many are pending. */
export async function recordErasure(
  store: AccountStore,
  id: string,
  { subject, counts, created_at }: Pick<Job, "subject" | "counts" | "created_at">,
): Promise<boolean> {
  if (subject === null) return true;
  const row = {
    id,
    status: "pending" as const,
    subject: KINDS.find((kind) => kind in subject) ?? "conversation_id",
    hint: hintOf(subject),
    counts,
    created_at: new Date(created_at).toISOString(),
    completed_at: null,
  };
  const pending = sql`SELECT count(*) FROM erasures WHERE account = ${store.account} AND status = 'pending'`;
  const [, kept] = await store.write(
    { action: "create", resource: "erasure", resource_id: id },
    store.upsertMany(erasures, [row], {
      target: [erasures.account, erasures.id],
      columns: ["subject"],
      when: sql`false`,
      only: () => sql`(${pending}) < ${MOST_PENDING}`,
    }),
    store.first(erasures, { where: eq(erasures.id, id), columns: ["id"] }),
  );
  return kept !== undefined;
}

/** @throws ApiError 429 if an erasure did not begin because too many are pending */
export function assertNotTooMany(isBegun: boolean): void {
  if (!isBegun)
    throw tooMany("erasures_pending", `${MOST_PENDING} erasures are pending: wait until one is complete`, MINUTE_MS);
}

/** Returns the last digits of a number: enough to distinguish erasures, too few to identify a person. */
function hintOf(subject: Subject): string | null {
  return "phone_number" in subject ? `…${subject.phone_number.slice(-2)}` : null;
}

export async function publishReceipt(
  store: AccountStore,
  id: string,
  { counts, completed_at }: Pick<Job, "counts" | "completed_at">,
): Promise<void> {
  const set = {
    counts,
    status: completed_at === null ? ("pending" as const) : ("complete" as const),
    completed_at: completed_at === null ? null : new Date(completed_at).toISOString(),
  };
  await store.record(store.update(erasures, set, eq(erasures.id, id)));
}

/** Returns an erasure as clients see it. */
export function receiptOf({ id, status, subject, hint, counts, created_at, completed_at }: ReceiptRow) {
  const until = completed_at && new Date(Date.parse(completed_at) + RESTORE_DAYS * DAY_MS).toISOString();
  const kept = (what: "database" | "objects") => ({ what, days: RESTORE_DAYS, until });
  return {
    id,
    status,
    subject,
    hint,
    counts: sumOf(counts, {}),
    kept_by_restore: [kept("database"), kept("objects")],
    created_at,
    completed_at,
  };
}
