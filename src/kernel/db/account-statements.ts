import { and, count, eq, type GetColumnData, getTableColumns, getTableName, is, SQL, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import type { SQLiteColumn, SQLiteInsertValue, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { AccountTable, Changes, NewRow, PlainRow, Row } from "./account-table.ts";
import { jsonPieces } from "./json-pieces.ts";
import { type KeyTable, useAt } from "./last-use.ts";
import {
  type AccountStatus,
  appendLedgerDay,
  ledgerDaysOf,
  type OwnAccount,
  ownAccountOf,
  type Profile,
  profileOf,
  quotaOf,
  recordingDaysOf,
  retentionDueNow,
  setRecordingDays,
} from "./own-account.ts";
import type { ShippedRows } from "./shipped-rows.ts";
import {
  close,
  closeInsert,
  closeRead,
  closeRemoval,
  closeUpdate,
  closeWrite,
  type Read,
  type Write,
} from "./statement.ts";
import { driverValue, type UpsertMany, upsertOf } from "./upsert-many.ts";

/** Columns and expressions by name. */
type Values = Record<string, SQL | SQLiteColumn>;
type ValueOf<V> = V extends SQL<infer T> ? T : V extends SQLiteColumn ? GetColumnData<V> : never;
type Group<B extends Values, S> = { [K in keyof B]: ValueOf<B[K]> } & Record<keyof S | "n", number>;

export interface Page<T extends AccountTable> {
  where?: SQL | undefined;
  orderBy?: (SQL | SQLiteColumn)[];
  limit?: number;
  offset?: number;
  /** Reads only these columns. */
  columns?: (keyof T["_"]["columns"])[];
}

/** The statements on an account's rows: each carries the account in its condition or its values, and is closed. */
export class AccountStatements {
  readonly account: string;
  readonly #db: DrizzleD1Database;

  constructor(db: DrizzleD1Database, account: string) {
    this.account = account;
    this.#db = db;
  }

  /** Rows of the account, all columns unless `columns` narrows them. */
  select<T extends AccountTable>(table: T, page: Page<T> = {}): Read<Row<T>[]> {
    return closeRead(this.#select(table, page));
  }

  /** The first of these rows; undefined if there is none. */
  first<T extends AccountTable>(table: T, page: Omit<Page<T>, "limit" | "offset"> = {}): Read<Row<T> | undefined> {
    const query = this.#select(table, { ...page, limit: 1 });
    return closeRead(query, ([rows]) => (rows as Row<T>[])[0]);
  }

  /** Some values of rows of the account: parts of wide rows. */
  values<B extends Values>(table: AccountTable, values: B, where?: SQL): Read<{ [K in keyof B]: ValueOf<B[K]> }[]> {
    const query = this.#db
      .select(values)
      .from(table as SQLiteTable)
      .where(this.#own(table, where));
    return closeRead(query);
  }

  /** Reads whether the account is open, disabled or missing. */
  accountStatus(): Read<AccountStatus> {
    return profileOf(this.#db, this.account, ({ accountStatus }) => accountStatus);
  }

  /** The account's status and display name; "" if it does not exist. */
  profile(): Read<Profile> {
    return profileOf(this.#db, this.account, (profile) => profile);
  }

  /** What the account itself can change of its row; undefined if it does not exist. */
  ownAccount(): Read<OwnAccount | undefined> {
    return ownAccountOf(this.#db, this.account);
  }

  /** The first days (UTC, `2026-11-23`) of the account's ledger volumes, oldest first; none if it does not exist. */
  ledgerDays(): Read<string[]> {
    return ledgerDaysOf(this.#db, this.account);
  }

  /**
   * Has a volume of the account's ledger begin on `day`, if the newest one begins on `newest`, which is earlier, and the
   * day is so far ahead that no list of volumes in use is too old for its ids.
   */
  appendLedgerDay(newest: string, day: string): Write<unknown> {
    return appendLedgerDay(this.#db, this.account, newest, day);
  }

  /** For how many days the account's recordings are kept; none if it does not exist. */
  recordingDays(): Read<number | undefined> {
    return recordingDaysOf(this.#db, this.account);
  }

  /** The account's quota of this name: the operator's override, else its plan's. */
  quota(name: string, byPlan: Readonly<Record<string, number>>): Read<number> {
    return quotaOf(this.#db, this.account, name, byPlan);
  }

  /** Sets how many days the account's recordings are kept. */
  setRecordingDays(days: number): Write<unknown> {
    return setRecordingDays(this.#db, this.account, days);
  }

  /** Has the cron tell the account's ledger again from when on records are kept. */
  retentionDue(): Write<unknown> {
    return retentionDueNow(this.#db, this.account);
  }

  /** Counts the account's rows that meet the condition. */
  count(table: AccountTable, where?: SQL): Read<number> {
    const query = this.#db
      .select({ n: count() })
      .from(table as SQLiteTable)
      .where(this.#own(table, where));
    return closeRead(query, ([rows]) => (rows as { n: number }[])[0]?.n ?? 0);
  }

  /** Counts the account's rows that meet the condition, to `most`. */
  countTo(table: AccountTable, most: number, where?: SQL): Read<number> {
    const found = this.#db
      .select({ one: sql`1`.as("one") })
      .from(table as SQLiteTable)
      .where(this.#own(table, where))
      .limit(most);
    const query = this.#db.select({ n: count() }).from(found.as("found"));
    return closeRead(query, ([rows]) => (rows as { n: number }[])[0]?.n ?? 0);
  }

  /** Counts the account's rows grouped by values, in order: `[{ …by, …sums, n }]`. */
  countBy<B extends Values, S extends Record<string, SQL<number | null>> = Record<never, never>>(
    table: AccountTable,
    by: B,
    { where, sums }: { where?: SQL | undefined; sums?: S } = {},
  ): Read<Group<B, S>[]> {
    const values = Object.values(by);
    const totals = Object.entries(sums ?? {}).map(([name, sum]) => [name, sql`coalesce(sum(${sum}), 0)`] as const);
    return closeRead(
      this.#db
        .select({ ...by, ...Object.fromEntries(totals), n: count() })
        .from(table as SQLiteTable)
        .where(this.#own(table, where))
        .groupBy(...values)
        .orderBy(...values),
    );
  }

  insert<T extends AccountTable>(table: T, ...rows: NewRow<T>[]): Write<unknown> {
    const values = rows.map((row) => ({ ...row, account: this.account })) as unknown as SQLiteInsertValue<T>[];
    return closeInsert(getTableName(table), this.#db.insert(table).values(values));
  }

  /**
   * Inserts a row unless it exists; then nothing changes and no row is returned, so that only one of two concurrent
   * inserts gets it.
   */
  insertNew<T extends AccountTable>(table: T, row: NewRow<T>): Write<Row<T>[]> {
    const values = { ...row, account: this.account } as unknown as SQLiteInsertValue<T>;
    return closeWrite(getTableName(table), this.#db.insert(table).values(values).onConflictDoNothing().returning());
  }

  /** Inserts the row where the condition holds and the row does not exist; gives it where it was inserted. */
  insertIf<T extends AccountTable>(table: T, row: NewRow<T>, where: SQL): Write<Row<T>[]> {
    const given: Record<string, unknown> = Object.assign({}, row, { account: this.account });
    const picks = Object.entries(getTableColumns(table)).map(([key, column]) => {
      const value = given[key] === undefined ? (column.default ?? null) : given[key];
      return is(value, SQL) ? value : sql`${driverValue(column, value)}`;
    });
    const selected = sql`SELECT ${sql.join(picks, sql`, `)} WHERE ${where}`;
    const insert = this.#db.insert(table).select(selected).onConflictDoNothing().returning();
    return closeWrite(getTableName(table), insert);
  }

  /**
   * Inserts a row for each of the account's rows of `from` that meet the condition; values are given, or columns of
   * `from`. Rows that exist are refused, or kept as they are.
   */
  insertSelected<T extends AccountTable, F extends AccountTable>(
    table: T,
    from: F,
    where: SQL,
    values: { [K in keyof PlainRow<T>]-?: string | SQL | SQLiteColumn },
    existing: "refuse" | "keep" = "refuse",
  ): Write<unknown> {
    const given: Record<string, string | SQL | SQLiteColumn> = { ...values, account: this.account };
    const picks = Object.keys(getTableColumns(table)).map((key) => sql`${given[key]}`);
    const insert = this.#db
      .insert(table)
      .select(sql`SELECT ${sql.join(picks, sql`, `)} FROM ${from} WHERE ${this.#own(from, where)}`);
    return closeWrite(getTableName(table), existing === "keep" ? insert.onConflictDoNothing() : insert);
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
    return closeWrite(
      getTableName(table),
      this.#db.insert(table).values(values).onConflictDoUpdate(conflict).returning(),
    );
  }

  /**
   * Inserts any number of rows, with one parameter for as many as fit into it; where `target` already has a row, takes
   * over `columns` of the new one, and the keys of its JSON columns `patched`, on the condition `when`, which may speak
   * of `excluded`, the new row. What all rows have in `common` is sent once. Rows that do not meet `only`, a condition on
   * their values, are left out. Gives how many rows it wrote.
   */
  upsertMany<T extends AccountTable, C extends keyof PlainRow<T> = never>(
    table: T,
    rows: Omit<PlainRow<T>, C>[],
    on: UpsertMany<T, C>,
  ): Write<{ meta: { changes: number } }> {
    const { picks, only, set, values } = upsertOf(table, rows, on, this.account);
    const pieces = jsonPieces(values).map((piece) =>
      this.#db
        .insert(table)
        .select(sql`SELECT ${picks} FROM json_each(${piece}) WHERE ${only}`)
        .onConflictDoUpdate({
          target: on.target,
          set: set as SQLiteUpdateSetSource<T>,
          ...(on.when && { setWhere: on.when }),
        }),
    );
    const result = (results: unknown[]) => ({ meta: { changes: sumOfChanges(results) } });
    return close({ builders: pieces, result, writes: getTableName(table) });
  }

  /** Inserts the rows that a new account starts with, with ids made at `now` (ms); refused if one of them exists. */
  insertShipped<T extends AccountTable, C extends keyof PlainRow<T> & string>(
    rows: ShippedRows<T, C>,
    now: number,
    common: Pick<PlainRow<T>, C>,
  ): Write<unknown> {
    const { table } = rows;
    const selected = rows.select(now, { ...common, account: this.account });
    return closeWrite(getTableName(table), this.#db.insert(table).select(selected));
  }

  /** Returns the changed rows. */
  update<T extends AccountTable>(table: T, set: Changes<T>, where: SQL): Write<Row<T>[]> {
    const changes = set as SQLiteUpdateSetSource<T>;
    const change = this.#db.update(table).set(changes).where(this.#own(table, where)).returning();
    return closeUpdate(getTableName(table), change, this.fromOwn(table, where));
  }

  /** Notes a use of an enabled key at `now` (ms), at most once a minute, and gives the key as it then is. */
  useKey<T extends AccountTable & KeyTable>(table: T, where: SQL, now: number): Write<Row<T> | undefined> {
    const { set, isDue } = useAt(table, now);
    const note = this.#db
      .update(table)
      .set(set as unknown as SQLiteUpdateSetSource<T>)
      .where(this.#own(table, and(where, isDue)));
    const builders = [note, this.#select(table, { where, limit: 1 })];
    return close({ builders, result: ([, rows]) => (rows as Row<T>[])[0], writes: null });
  }

  /** Returns the deleted rows. */
  delete<T extends AccountTable>(table: T, where: SQL): Write<Row<T>[]> {
    const removal = this.#db.delete(table).where(this.#own(table, where)).returning();
    return closeRemoval(getTableName(table), removal, this.fromOwn(table, where));
  }

  /** `FROM … WHERE …` of the account's rows that meet the condition. */
  protected fromOwn(table: AccountTable, where: SQL): SQL {
    return sql`FROM ${table} WHERE ${this.#own(table, where)}`;
  }

  #select<T extends AccountTable>(table: T, page: Page<T>) {
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
    return query;
  }

  #own(table: AccountTable, where: SQL | undefined): SQL | undefined {
    return and(eq(table.account, this.account), where);
  }
}

function sumOfChanges(results: unknown[]): number {
  return (results as { meta: { changes: number } }[]).reduce((sum, { meta }) => sum + meta.changes, 0);
}
