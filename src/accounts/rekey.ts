import { and, count, eq, gt, isNotNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { integrationInstalls, telephonyProviders } from "../db/schema/index.ts";
import { secretsContext } from "../integrations/routes.ts";
import { type SealContext, type Vault, VaultUnavailable } from "../secrets/vault.ts";
import { credentialsContext } from "../telephony/line.ts";

/** Rows read and sealed at a time, and in one call. */
const BATCH = 100;
const MOST = 2_000;

/** Where sealed values are: the table, its sealed column, and what a row's value is bound to. */
const PLACES = [
  {
    table: telephonyProviders,
    sealed: telephonyProviders.credentials,
    key: "credentials",
    context: credentialsContext,
  },
  { table: integrationInstalls, sealed: integrationInstalls.secrets, key: "secrets", context: secretsContext },
] as const;

/**
 * Seals what is sealed under an older key anew, in batches, across all accounts. A value changed meanwhile is left to
 * the change; one that no configured key opens is counted and left. @throws VaultUnavailable with no key at all
 */
export async function rekey(d1: D1Database, vault: Vault): Promise<{ resealed: number; failed: number; left: number }> {
  if (!vault.available) throw new VaultUnavailable("no encryption key is configured");
  const db = drizzle(d1);
  const result = { resealed: 0, failed: 0, left: 0 };
  for (const { table, sealed, key, context } of PLACES) {
    const old = and(isNotNull(sealed), beginsOtherwise(sealed, vault.currentPrefix));
    let after: SQL | undefined;
    while (result.resealed + result.failed < MOST) {
      const rows = await db
        .select({ account: table.account, id: table.id, value: sealed })
        .from(table)
        .where(and(old, after))
        .orderBy(table.account, table.id)
        .limit(BATCH);
      for (const { account, id, value } of rows) {
        try {
          const fresh = await reseal(vault, value ?? "", context(account, id));
          const isRow = and(eq(table.account, account), eq(table.id, id), eq(sealed, value ?? ""));
          const written = await db
            .update(table)
            .set({ [key]: fresh })
            .where(isRow)
            .returning({ value: sealed });
          if (written.some((row) => row.value === fresh)) result.resealed++;
        } catch (error) {
          if (!(error instanceof VaultUnavailable)) throw error;
          result.failed++;
        }
      }
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      after = or(gt(table.account, last.account), and(eq(table.account, last.account), gt(table.id, last.id)));
    }
    const [remaining] = await db.select({ n: count() }).from(table).where(old);
    result.left += remaining?.n ?? 0;
  }
  return { ...result, left: Math.max(0, result.left - result.failed) };
}

/** By the bytes: LIKE takes letters of either case for the same, and `_`, which ids may hold, for any character. */
function beginsOtherwise(column: SQLWrapper, prefix: string): SQL {
  return sql`substr(${column}, 1, ${prefix.length}) <> ${prefix}`;
}

/** The value sealed anew, which has been opened again: nothing else may take the old one's place. @throws VaultUnavailable */
async function reseal(vault: Vault, sealed: string, context: SealContext): Promise<string> {
  const value = await vault.open(sealed, context);
  const fresh = await vault.seal(value, context);
  const again = await vault.open(fresh, context);
  if (JSON.stringify(again) !== JSON.stringify(value)) throw new VaultUnavailable("the value does not open anew");
  return fresh;
}
