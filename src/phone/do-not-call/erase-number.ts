import { asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { doNotCall, erasedOptOuts } from "../../kernel/db/schema/index.ts";
import type { NumberMask } from "../../kernel/mask-number.ts";
import { KEY_ID, openKey, sealNewKey } from "./opt-out-key.ts";

interface Context {
  env: Pick<Env, "ENCRYPTION_KEYS">;
  store: AccountStore;
}

/**
 * Replaces a number's opt-out by an HMAC under the account's key: the number is still refused, but no longer listed.
 * Returns how many entries were replaced, 1 or 0; a repetition returns 0.
 * @throws VaultUnavailable without an encryption key
 */
export async function eraseNumber({ env, store }: Context, number: string): Promise<number> {
  const isNumber = eq(doNotCall.phone_number, number);
  const [listed, row] = await store.read(
    store.count(doNotCall, isNumber),
    store.first(erasedOptOuts, { where: eq(erasedOptOuts.id, KEY_ID) }),
  );
  if (listed === 0) return 0;
  const key = await openKey(env, store.account, row?.sealed ?? (await createdKey({ env, store })));
  const hashed = { id: key.idOf(number), sealed: sql`NULL` };
  const [, replaced] = await store.record(
    store.insertSelected(erasedOptOuts, doNotCall, isNumber, hashed, "keep"),
    store.delete(doNotCall, isNumber),
  );
  return replaced.length;
}

/** Returns the account's sealed key: a new one, or one that a concurrent request stored first. */
async function createdKey({ env, store }: Context): Promise<string> {
  const sealed = await sealNewKey(env, store.account);
  const isKey = eq(erasedOptOuts.id, KEY_ID);
  const [, row] = await store.record(
    store.insertNew(erasedOptOuts, { id: KEY_ID, sealed }),
    store.first(erasedOptOuts, { where: isKey }),
  );
  return row?.sealed ?? sealed;
}

/** How many rows a step masked, and the number after which the next step continues; null at the end. */
export interface ReasonsSwept {
  masked: number;
  next: string | null;
}

/**
 * Masks a number in the reasons of other entries of the list, `limit` entries at a time, beginning after the given one.
 */
export async function maskReasons(
  store: AccountStore,
  mask: NumberMask,
  after: string,
  limit: number,
): Promise<ReasonsSwept> {
  const [entries] = await store.read(
    store.select(doNotCall, {
      where: all(gt(doNotCall.phone_number, after), isNotNull(doNotCall.reason)),
      columns: ["phone_number", "reason"],
      orderBy: [asc(doNotCall.phone_number)],
      limit,
    }),
  );
  const updates = entries.flatMap(({ phone_number, reason }) => {
    const masked = reason && mask.text(reason);
    return masked === reason
      ? []
      : [store.update(doNotCall, { reason: masked }, eq(doNotCall.phone_number, phone_number))];
  });
  if (updates.length > 0) await store.record(...updates);
  return { masked: updates.length, next: entries.length < limit ? null : (entries.at(-1)?.phone_number ?? null) };
}
