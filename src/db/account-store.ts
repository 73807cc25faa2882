import {
  and,
  count,
  eq,
  getTableColumns,
  type InferInsertModel,
  type InferSelectModel,
  type SQL,
  sql,
} from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn, SQLiteInsertValue, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { v7 as uuidv7 } from "uuid";
import { jsonPieces } from "./json-pieces.ts";
import { accounts, auditLog, users } from "./schema/index.ts";
import {
  type AnyStatement,
  close,
  open,
  type Read,
  type Results,
  Series,
  type Statement,
  seriesOf,
  type Write,
} from "./statement.ts";

export type { Read, Write } from "./statement.ts";

/** A table whose rows belong to an account. */
type AccountTable = SQLiteTable & { account: SQLiteColumn };
type Row<T extends AccountTable> = InferSelectModel<T>;
/** What a caller may set: everything but the account, which the store writes itself. */
type NewRow<T extends AccountTable> = {
  [K in keyof Omit<InferInsertModel<T>, "account">]: InferInsertModel<T>[K] | SQL;
};
/** A row as plain values. */
type PlainRow<T extends AccountTable> = Omit<InferInsertModel<T>, "account">;
type Changes<T extends AccountTable> = Omit<SQLiteUpdateSetSource<T>, "account">;

export interface Page<T extends AccountTable> {
  where?: SQL | undefined;
  orderBy?: (SQL | SQLiteColumn)[];
  limit?: number;
  offset?: number;
  /** Reads only these columns. */
  columns?: (keyof T["_"]["columns"])[];
}

/** The audit entry of a write (GET /audit-log). It names things, never their content. */
export interface AuditEntry {
  action: string;
  resource: string;
  resource_id: string;
}

/** Whose hand it is: goes into the audit log. */
export interface Author {
  actor: string;
  request_id: string;
}

/** The account is disabled or not there; nothing of it was read or written. */
export class AccountClosedError extends Error {
  override readonly name = "AccountClosedError";
  readonly known: boolean;
  constructor(known: boolean) {
    super(known ? "account is disabled" : "account is not known");
    this.known = known;
  }
}

/** Who asks is no longer a user of the account; nothing of it was read or written. */
export class UserGoneError extends Error {
  override readonly name = "UserGoneError";
}

/** D1 refused a row that is already there. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/**
 * The only way to an account's rows in D1. It is bound to one account for its life: every statement it makes carries
 * the account in its condition or its values, and a query builder never leaves it.
 */
export class AccountStore {
  readonly account: string;
  readonly #db;
  readonly #author: Author;
  readonly #user: string | undefined;
  #cleared: boolean;

  /**
   * @param cleared true when somebody else (the account's gate) has just vouched that the account is open; otherwise
   * the store checks it in its first round trip and throws AccountClosedError.
   * @param user the user who acts, where it is one of the account's own rows: the same round trip checks that it is
   * still there, or throws UserGoneError.
   */
  constructor(
    d1: Pick<D1Database, "prepare" | "batch">,
    account: string,
    author: Author,
    cleared: boolean,
    user?: string,
  ) {
    this.account = account;
    this.#db = drizzle(d1 as D1Database);
    this.#author = author;
    this.#cleared = cleared;
    this.#user = user;
  }

  /** Rows of the account, all columns unless `columns` narrows them. */
  select<T extends AccountTable>(table: T, page: Page<T> = {}): Read<Row<T>[]> {
    const fields = page.columns
      ? Object.fromEntries(page.columns.map((name) => [name, table[name as keyof T] as unknown as SQLiteColumn]))
      : undefined;
    const query = (fields ? this.#db.select(fields) : this.#db.select())
      .from(table as SQLiteTable)
      .where(this.#own(table, page.where))
      .orderBy(...(page.orderBy ?? []))
      .$dynamic();
    if (page.limit !== undefined) query.limit(page.limit);
    if (page.offset !== undefined) query.offset(page.offset);
    return close(query);
  }

  /** How many rows of the account meet the condition: `[{ n }]`. */
  count(table: AccountTable, where?: SQL): Read<{ n: number }[]> {
    return close(
      this.#db
        .select({ n: count() })
        .from(table as SQLiteTable)
        .where(this.#own(table, where)),
    );
  }

  /** How many rows of the account there are by each value of a column: `[{ value, n }]`. */
  countBy(table: AccountTable, column: SQLiteColumn, where?: SQL): Read<{ value: string; n: number }[]> {
    const fields = { value: sql<string>`${column}`.as("value"), n: count() };
    return close(
      this.#db
        .select(fields)
        .from(table as SQLiteTable)
        .where(this.#own(table, where))
        .groupBy(column)
        .orderBy(column),
    );
  }

  insert<T extends AccountTable>(table: T, ...rows: NewRow<T>[]): Write<Row<T>[]> {
    const values = rows.map((row) => ({ ...row, account: this.account })) as unknown as SQLiteInsertValue<T>[];
    return close(this.#db.insert(table).values(values).returning());
  }

  /** Inserts a row that may be there already; then nothing changes and none is given: of two at once one gets it. */
  insertNew<T extends AccountTable>(table: T, row: NewRow<T>): Write<Row<T>[]> {
    const values = { ...row, account: this.account } as unknown as SQLiteInsertValue<T>;
    return close(this.#db.insert(table).values(values).onConflictDoNothing().returning());
  }

  /**
   * Inserts a row for each of the account's rows of `from` that meet the condition; values are given, or columns of
   * `from`.
   */
  insertSelected<T extends AccountTable, F extends AccountTable>(
    table: T,
    from: F,
    where: SQL,
    values: { [K in keyof PlainRow<T>]-?: string | SQL | SQLiteColumn },
  ): Write<unknown> {
    const given: Record<string, string | SQL | SQLiteColumn> = { ...values, account: this.account };
    const picks = Object.keys(getTableColumns(table)).map((key) => sql`${given[key]}`);
    return close(
      this.#db
        .insert(table)
        .select(sql`SELECT ${sql.join(picks, sql`, `)} FROM ${from} WHERE ${this.#own(from, where)}`),
    );
  }

  /** Inserts, or where `target` already has the row, applies `set` on the condition `setWhere`. */
  upsert<T extends AccountTable>(
    table: T,
    row: NewRow<T>,
    on: { target: SQLiteColumn[]; set: Changes<T>; setWhere?: SQL },
  ): Write<Row<T>[]> {
    const values = { ...row, account: this.account } as unknown as SQLiteInsertValue<T>;
    const conflict = {
      target: on.target,
      set: on.set as SQLiteUpdateSetSource<T>,
      ...(on.setWhere && { setWhere: on.setWhere }),
    };
    return close(this.#db.insert(table).values(values).onConflictDoUpdate(conflict).returning());
  }

  /**
   * Inserts any number of rows, with one parameter for as many as fit into it; where `target` already has a row, takes
   * over `columns` of the new one, and the keys of its JSON columns `patched`, on the condition `when`, which may speak
   * of `excluded`, the new row. What all rows have in `common` is sent once. Gives how many rows it wrote.
   */
  upsertMany<T extends AccountTable, C extends keyof PlainRow<T> = never>(
    table: T,
    rows: Omit<PlainRow<T>, C>[],
    on: {
      target: SQLiteColumn[];
      columns: (keyof T["_"]["columns"] & string)[];
      patched?: (keyof T["_"]["columns"] & string)[];
      when?: SQL;
      common?: Pick<PlainRow<T>, C>;
    },
  ): Write<{ meta: { changes: number } }> {
    const columns = Object.entries(getTableColumns(table));
    const common: Record<string, unknown> = { ...on.common, account: this.account };
    const own = columns.filter(([key]) => !(key in common));
    const stored = (column: SQLiteColumn, value: unknown) => (value == null ? null : column.mapToDriverValue(value));
    const values = rows.map((row) => {
      const record: Record<string, unknown> = row;
      return own.map(([key, column]) => stored(column, record[key]));
    });
    const picks = sql.join(
      columns.map(([key, column]) =>
        key in common
          ? sql`${stored(column, common[key])}`
          : sql.raw(`value ->> ${own.findIndex(([name]) => name === key)}`),
      ),
      sql`, `,
    );
    const taken = columns.filter(([key]) => on.columns.includes(key));
    const patched = columns.filter(([key]) => on.patched?.includes(key));
    const set = Object.fromEntries([
      ...taken.map(([key, column]) => [key, sql.raw(`excluded."${column.name}"`)]),
      ...patched.map(([key, column]) => [key, sql`json_patch(${column}, ${sql.raw(`excluded."${column.name}"`)})`]),
    ]);
    const pieces = jsonPieces(values).map((piece) =>
      this.#db
        .insert(table)
        .select(sql`SELECT ${picks} FROM json_each(${piece}) WHERE true`)
        .onConflictDoUpdate({
          target: on.target,
          set: set as SQLiteUpdateSetSource<T>,
          ...(on.when && { setWhere: on.when }),
        }),
    );
    return close(new Series(pieces, (results) => ({ meta: { changes: sumOfChanges(results) } })));
  }

  /** Gives the rows as they are after the change. */
  update<T extends AccountTable>(table: T, set: Changes<T>, where: SQL): Write<Row<T>[]> {
    const changes = set as SQLiteUpdateSetSource<T>;
    return close(this.#db.update(table).set(changes).where(this.#own(table, where)).returning());
  }

  /** Gives the rows that are gone. */
  delete<T extends AccountTable>(table: T, where: SQL): Write<Row<T>[]> {
    return close(this.#db.delete(table).where(this.#own(table, where)).returning());
  }

  /** Reads in one D1 round trip. */
  async read<S extends readonly Read<unknown>[]>(...statements: S): Promise<Results<S>> {
    return this.#run(statements);
  }

  /**
   * Changes and their audit entry in one atomic D1 round trip. The entry is written if the first statement changed
   * a row: a write that found nothing leaves no trace.
   */
  async write<S extends readonly [Write<unknown>, ...AnyStatement[]]>(
    entry: AuditEntry,
    ...statements: S
  ): Promise<Results<S>> {
    const [change, ...others] = statements;
    return (await this.#run([this.#audited(change, entry), ...others])) as Results<S>;
  }

  /** What the platform itself notes down about its own work (call events, campaign counters): atomic, not audited. */
  async record<S extends readonly AnyStatement[]>(...statements: S): Promise<Results<S>> {
    return this.#run(statements);
  }

  /** Throws unless the account is open and its user still there. Free once any round trip has been made. */
  async clear(): Promise<void> {
    if (!this.#cleared) await this.#run([]);
  }

  /** The change, and its one entry behind whichever of its pieces changes a row. */
  #audited<T>(change: Write<T>, entry: AuditEntry): Write<T> {
    const { builders, result } = seriesOf(open(change));
    const audit = this.#audit(entry);
    const audited = builders.flatMap((builder) => [builder, audit]);
    return close(new Series(audited, (results) => result(results.filter((_, i) => i % 2 === 0))));
  }

  #audit({ action, resource, resource_id }: AuditEntry) {
    const at = new Date();
    const { actor, request_id } = this.#author;
    // Made in order, so that entries of the same millisecond keep theirs.
    const id = uuidv7();
    return this.#db
      .insert(auditLog)
      .select(
        sql`SELECT ${this.account}, ${id}, ${at.toISOString()}, ${actor}, ${action}, ${resource}, ${resource_id}, ${request_id} WHERE changes() > 0`,
      )
      .onConflictDoNothing();
  }

  #own(table: AccountTable, where: SQL | undefined): SQL | undefined {
    return and(eq(table.account, this.account), where);
  }

  async #run<S extends readonly Statement<unknown, "read" | "write">[]>(statements: S): Promise<Results<S>> {
    const batch = statements.map(open);
    const results = await this.#batch(this.#cleared ? batch : [this.#guard(), ...batch]);
    if (!this.#cleared) {
      const [row] = results.shift() as { disabled_at: string | null; user: string | null }[];
      if (!row || row.disabled_at !== null) throw new AccountClosedError(row !== undefined);
      if (this.#user !== undefined && row.user === null) throw new UserGoneError();
      this.#cleared = true;
    }
    return results as Results<S>;
  }

  /** The account, and its user who acts. */
  #guard() {
    const isUser = and(eq(users.account, accounts.name), eq(users.id, this.#user ?? ""));
    return this.#db
      .select({ disabled_at: accounts.disabled_at, user: users.id })
      .from(accounts)
      .leftJoin(users, isUser)
      .where(eq(accounts.name, this.account));
  }

  async #batch(items: unknown[]): Promise<unknown[]> {
    const series = items.map(seriesOf);
    const [first, ...rest] = series.flatMap(({ builders }) => builders) as BatchItem<"sqlite">[];
    if (!first) return [];
    try {
      const results: unknown[] = [...(await this.#db.batch([first, ...rest]))];
      return series.map(({ builders, result }) => result(results.splice(0, builders.length)));
    } catch (error) {
      if (/UNIQUE constraint failed/.test(causes(error))) throw new UniqueViolation("a row like this is already there");
      throw error;
    }
  }
}

function sumOfChanges(results: unknown[]): number {
  return (results as { meta: { changes: number } }[]).reduce((sum, { meta }) => sum + meta.changes, 0);
}

function causes(error: unknown): string {
  return error instanceof Error ? `${error.message} ${causes(error.cause)}` : "";
}
