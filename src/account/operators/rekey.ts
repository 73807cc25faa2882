import { and, asc, count, eq, getTableName, gt, isNotNull, not, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import {
  erasedOptOuts,
  integrationInstalls,
  secondFactors,
  telephonyProviders,
  webhooks,
  widgetKeys,
} from "../../kernel/db/schema/index.ts";
import {
  credentialsContext,
  optOutKeyContext,
  secondFactorContext,
  secretsContext,
  webhookContext,
  widgetKeyContext,
} from "../../kernel/db/seal-contexts.ts";
import { accountDatabase, type StoreBindings } from "../../kernel/durable/account-stores.ts";
import { type SealContext, type Vault, VaultUnavailable } from "../../kernel/secrets/vault.ts";

/** The number of rows read and resealed at a time. */
const PAGE_ROWS = 100;
/** The limits of a call. An invocation may make a thousand queries, and each row costs CPU time. */
const LIMITS = { queries: 500, rows: 5_000 };

/** The columns with sealed values: the table, its sealed column, and the context to which a row's value is bound. */
const SEALED_COLUMNS = [
  {
    table: telephonyProviders,
    sealed: telephonyProviders.credentials,
    key: "credentials",
    context: credentialsContext,
  },
  { table: integrationInstalls, sealed: integrationInstalls.secrets, key: "secrets", context: secretsContext },
  { table: widgetKeys, sealed: widgetKeys.sealed_key, key: "sealed_key", context: widgetKeyContext },
  { table: erasedOptOuts, sealed: erasedOptOuts.sealed, key: "sealed", context: optOutKeyContext },
  { table: webhooks, sealed: webhooks.secrets, key: "secrets", context: webhookContext },
  { table: secondFactors, sealed: secondFactors.secret, key: "secret", context: secondFactorContext },
  { table: secondFactors, sealed: secondFactors.pending_secret, key: "pending_secret", context: secondFactorContext },
] as const;
type SealedColumn = (typeof SEALED_COLUMNS)[number];

export interface Rekeyed {
  resealed: number;
  failed: number;
  left: number;
}

/**
 * Reseals values that were sealed with older keys, across all accounts, as many as one request may. `left` is the
 * number that remains. A value that was changed in the meantime is skipped, because the change resealed it. A value
 * that no configured key opens is counted and kept.
 * @throws VaultUnavailable if there is no key
 */
export async function rekey(env: StoreBindings, vault: Vault, limits = LIMITS): Promise<Rekeyed> {
  if (!vault.available) throw new VaultUnavailable("no encryption key is configured");
  const work = new Rekeying(env, vault, limits);
  for (const column of SEALED_COLUMNS) await work.run(column);
  return work.result;
}

type Old = { account: string; id: string; value: string | null };

class Rekeying {
  readonly result: Rekeyed = { resealed: 0, failed: 0, left: 0 };
  readonly #env: StoreBindings;
  readonly #db;
  readonly #vault: Vault;
  readonly #limits: typeof LIMITS;
  #queries = 0;
  #rows = 0;

  constructor(env: StoreBindings, vault: Vault, limits: typeof LIMITS) {
    this.#env = env;
    this.#db = drizzle(env.DB);
    this.#vault = vault;
    this.#limits = limits;
  }

  async run(column: SealedColumn): Promise<void> {
    const old = or(...this.#vault.olderPrefixes.map((prefix) => beginsWith(column.sealed, prefix))) ?? sql`false`;
    let closed = 0;
    for (let last: Old | undefined; this.#queries < this.#limits.queries && this.#rows < this.#limits.rows; ) {
      const rows = await this.#page(column, old, last);
      closed += await this.#reseal(column, rows);
      last = rows.at(-1);
      if (rows.length < PAGE_ROWS) break;
    }
    const { lost, left } = await this.#remaining(column, old);
    this.result.failed += lost + closed;
    this.result.left += Math.max(0, left - closed);
  }

  #page({ table, sealed }: SealedColumn, old: SQL, last: Old | undefined): Promise<Old[]> {
    this.#queries++;
    const after =
      last && or(gt(table.account, last.account), and(eq(table.account, last.account), gt(table.id, last.id)));
    return this.#db
      .select({ account: table.account, id: table.id, value: sealed })
      .from(table)
      .where(and(old, after))
      .orderBy(asc(table.account), asc(table.id))
      .limit(PAGE_ROWS);
  }

  /** Reseals a page of values. Returns how many of them cannot be opened. */
  async #reseal({ table, sealed, key, context }: SealedColumn, rows: Old[]): Promise<number> {
    const fresh = new Map<string, string[][]>();
    let opened = 0;
    for (const { account, id, value } of rows) {
      try {
        const sealedAnew = await reseal(this.#vault, value ?? "", context(account, id));
        const ofAccount = fresh.get(account) ?? [];
        fresh.set(account, ofAccount);
        ofAccount.push([id, value ?? "", sealedAnew]);
        opened++;
      } catch (error) {
        if (!(error instanceof VaultUnavailable)) throw error;
      }
    }
    this.#rows += rows.length;
    for (const [account, values] of fresh) await this.#write(account, table, sealed, key, values);
    return rows.length - opened;
  }

  /** Writes through the account's gate, like every change of its configuration. */
  async #write(
    account: string,
    table: SealedColumn["table"],
    sealed: SealedColumn["sealed"],
    key: SealedColumn["key"],
    fresh: string[][],
  ): Promise<void> {
    const statements = jsonPieces(fresh).map((piece) =>
      this.#db
        .update(table)
        .set({ [key]: sql`told.value ->> 2` })
        .from(sql`json_each(${piece}) told`)
        .where(sql`${table.account} = ${account} AND ${table.id} = told.value ->> 0 AND ${sealed} = told.value ->> 1`)
        .toSQL(),
    );
    this.#queries += statements.length;
    const outcome = await accountDatabase(this.#env, account).configure({
      statements,
      tables: [getTableName(table)],
      added: [],
    });
    if ("refused" in outcome) throw new Error(outcome.refused);
    for (const { meta } of outcome.results) this.result.resealed += meta.changes;
  }

  /**
   * Counts the values that were sealed with a key that is not configured, and those sealed with an older configured
   * key.
   */
  async #remaining({ table, sealed }: SealedColumn, old: SQL): Promise<{ lost: number; left: number }> {
    this.#queries++;
    const current = beginsWith(sealed, this.#vault.currentPrefix);
    const [row] = await this.#db
      .select({ all: count(), left: sql<number>`count(*) FILTER (WHERE ${old})` })
      .from(table)
      .where(and(isNotNull(sealed), not(current)));
    return { lost: (row?.all ?? 0) - (row?.left ?? 0), left: row?.left ?? 0 };
  }
}

/**
 * Returns the condition that a column begins with the prefix. LIKE is not used, because key ids may contain its
 * wildcards.
 */
function beginsWith(column: SealedColumn["sealed"], prefix: string): SQL {
  return sql`substr(${column}, 1, ${prefix.length}) = ${prefix}`;
}

/** Reseals a value. The result is opened as a check before it may replace the old value. @throws VaultUnavailable */
async function reseal(vault: Vault, sealed: string, context: SealContext): Promise<string> {
  const value = await vault.open(sealed, context);
  const fresh = await vault.seal(value, context);
  const again = await vault.open(fresh, context);
  if (JSON.stringify(again) !== JSON.stringify(value))
    throw new VaultUnavailable("the re-encrypted value cannot be decrypted");
  return fresh;
}
