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
import { plainInsert } from "./plain-insert.ts";
import { plainSelect } from "./plain-select.ts";
import type { ShippedRows } from "./shipped-rows.ts";
import {
  close,
  closeFirst,
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
  /** The columns to read; all if omitted. */
  columns?: (keyof T["_"]["columns"])[];
}

/**
 * Builds statements on an account's rows. Each one has the account in its condition or its values, and is closed, so
 * that it cannot be changed.
 */
export class AccountStatements {
  readonly account: string;
  readonly #db: DrizzleD1Database;

  constructor(db: DrizzleD1Database, account: string) {
    this.account = account;
    this.#db = db;
  }

  /** Selects rows of the account, with all columns unless `columns` names some. */
  select<T extends AccountTable>(table: T, page: Page<T> = {}): Read<Row<T>[]> {
    return closeRead(this.#select(table, page));
  }

  /** Selects the first of these rows; undefined if there is none. */
  first<T extends AccountTable>(table: T, page: Omit<Page<T>, "limit" | "offset"> = {}): Read<Row<T> | undefined> {
    return closeFirst(this.#select(table, { ...page, limit: 1 }));
  }

  /** Selects some values of the account's rows, so that wide rows need not be read in full. */
  values<B extends Values>(
    table: AccountTable,
    values: B,
    where?: SQL,
    orderBy: SQL[] = [],
  ): Read<{ [K in keyof B]: ValueOf<B[K]> }[]> {
    const query = this.#db
      .select(values)
      .from(table as SQLiteTable)
      .where(this.#own(table, where))
      .orderBy(...orderBy);
    return closeRead(query);
  }

  /** Reads whether the account exists and is open. */
  accountStatus(): Read<AccountStatus> {
    return profileOf(this.#db, this.account, ({ accountStatus }) => accountStatus);
  }

  /** Reads the account's status and display name; "" if it does not exist. */
  profile(): Read<Profile> {
    return profileOf(this.#db, this.account, (profile) => profile);
  }

  /** Reads the part of the account's row that the account itself can change; undefined if it does not exist. */
  ownAccount(): Read<OwnAccount | undefined> {
    return ownAccountOf(this.#db, this.account);
  }

  /**
   * Reads the first days (UTC, `2026-11-23`) of the account's ledger volumes, oldest first; none if the account does
   * not exist.
   */
  ledgerDays(): Read<string[]> {
    return ledgerDaysOf(this.#db, this.account);
  }

  /**
   * Begins a volume of the account's ledger on `day`, if the newest one still begins on `newest`, an earlier day. The
   * day must be far enough ahead that every cached list of volumes is renewed before ids for the new volume exist.
   */
  appendLedgerDay(newest: string, day: string): Write<unknown> {
    return appendLedgerDay(this.#db, this.account, newest, day);
  }

  /** Reads how many days the account's recordings are kept; undefined if the account does not exist. */
  recordingDays(): Read<number | undefined> {
    return recordingDaysOf(this.#db, this.account);
  }

  /** Reads the account's quota with this name: the operator's override, otherwise its plan's. */
  quota(name: string, byPlan: Readonly<Record<string, number>>): Read<number> {
    return quotaOf(this.#db, this.account, name, byPlan);
  }

  setRecordingDays(days: number): Write<unknown> {
    return setRecordingDays(this.#db, this.account, days);
  }

  /** Makes the cron send the account's retention to its ledger again. */
  retentionDue(): Write<unknown> {
    return retentionDueNow(this.#db, this.account);
  }

  count(table: AccountTable, where?: SQL): Read<number> {
    const query = this.#db
      .select({ n: count() })
      .from(table as SQLiteTable)
      .where(this.#own(table, where));
    return closeRead(query, ([rows]) => (rows as { n: number }[])[0]?.n ?? 0);
  }

  /** Counts the account's rows that meet the condition, up to `most`. */
  countTo(table: AccountTable, most: number, where?: SQL): Read<number> {
    const found = this.#db
      .select({ one: sql`1`.as("one") })
      .from(table as SQLiteTable)
      .where(this.#own(table, where))
      .limit(most);
    const query = this.#db.select({ n: count() }).from(found.as("found"));
    return closeRead(query, ([rows]) => (rows as { n: number }[])[0]?.n ?? 0);
  }

  /** Counts the account's rows grouped by these values, in sorted order: `[{ …by, …sums, n }]`. */
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
    const [only] = values;
    const plain = values.length === 1 && only ? plainInsert(table, only) : null;
    return closeInsert(getTableName(table), plain ?? this.#db.insert(table).values(values));
  }

  /**
   * Inserts a row unless it exists. If it exists, no row is returned, so only one of two concurrent inserts gets the
   * row.
   */
  insertNew<T extends AccountTable>(table: T, row: NewRow<T>): Write<Row<T>[]> {
    const values = { ...row, account: this.account } as unknown as SQLiteInsertValue<T>;
    return closeWrite(getTableName(table), this.#db.insert(table).values(values).onConflictDoNothing().returning());
  }

  /** Inserts the row if the condition holds and the row does not exist. Returns it if it was inserted. */
  insertIf<T extends AccountTable>(table: T, row: NewRow<T>, where: SQL): Write<Row<T>[]> {
    const insert = this.#db
      .insert(table)
      .select(this.#rowIf(table, row, where))
      .onConflictDoNothing()
      .returning();
    return closeWrite(getTableName(table), insert);
  }

  /**
   * Inserts a row for each of the account's rows in `from` that meet the condition. Values are constants or columns of
   * `from`. If a row already exists, it is kept or the statement fails, depending on `existing`.
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

  /**
   * Inserts a row. If `target` already has it and `setWhere` holds, applies `set` instead. Does neither unless `only`
   * holds.
   */
  upsert<T extends AccountTable>(
    table: T,
    row: NewRow<T>,
    on: { target: SQLiteColumn[]; set: Changes<T>; setWhere?: SQL; only?: SQL },
  ): Write<Row<T>[]> {
    const values = { ...row, account: this.account } as unknown as SQLiteInsertValue<T>;
    const into = this.#db.insert(table);
    const insert = on.only ? into.select(this.#rowIf(table, row, on.only)) : into.values(values);
    const conflict = {
      target: on.target,
      set: on.set as SQLiteUpdateSetSource<T>,
      ...(on.setWhere && { setWhere: on.setWhere }),
    };
    return closeWrite(getTableName(table), insert.onConflictDoUpdate(conflict).returning());
  }

  /**
   * Inserts any number of rows, with as few parameters as possible. If a row already exists (by `target`) and the
   * condition `when` holds, it takes `columns` from the new row, and merges the keys of its JSON columns `patched`.
   * `when` may refer to the new row as `excluded`. Values that all rows have in `common` are sent once. Rows that don't
   * meet `only`, a condition on their values, are skipped. Returns the number of rows written.
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

  /** Inserts the rows with which a new account starts, with ids created at `now` (ms). Fails if one of them exists. */
  insertShipped<T extends AccountTable, C extends keyof PlainRow<T> & string>(
    rows: ShippedRows<T, C>,
    now: number,
    common: Pick<PlainRow<T>, C>,
  ): Write<unknown> {
    const { table } = rows;
    const selected = rows.select(now, { ...common, account: this.account });
    return closeWrite(getTableName(table), this.#db.insert(table).select(selected));
  }

  update<T extends AccountTable>(table: T, set: Changes<T>, where: SQL): Write<Row<T>[]> {
    const changes = set as SQLiteUpdateSetSource<T>;
    const change = this.#db.update(table).set(changes).where(this.#own(table, where)).returning();
    return closeUpdate(getTableName(table), change, this.fromOwn(table, where));
  }

  /** Records the use of an enabled key at `now` (ms), at most once a minute. Returns the key as it is afterwards. */
  useKey<T extends AccountTable & KeyTable>(table: T, where: SQL, now: number): Write<Row<T> | undefined> {
    const { set, isDue } = useAt(table, now);
    const note = this.#db
      .update(table)
      .set(set as unknown as SQLiteUpdateSetSource<T>)
      .where(this.#own(table, and(where, isDue)));
    const builders = [note, this.#select(table, { where, limit: 1 })];
    return close({ builders, result: ([, rows]) => (rows as Row<T>[])[0], writes: null });
  }

  delete<T extends AccountTable>(table: T, where: SQL): Write<Row<T>[]> {
    const removal = this.#db.delete(table).where(this.#own(table, where)).returning();
    return closeRemoval(getTableName(table), removal, this.fromOwn(table, where));
  }

  /** Returns `FROM … WHERE …` for the account's rows that meet the condition. */
  protected fromOwn(table: AccountTable, where: SQL): SQL {
    return sql`FROM ${table} WHERE ${this.#own(table, where)}`;
  }

  #select<T extends AccountTable>(table: T, { where, orderBy, limit, offset, columns }: Page<T>) {
    return plainSelect(table, columns as string[] | undefined, {
      where: this.#own(table, where),
      orderBy,
      limit,
      offset,
    });
  }

  /** Returns a select of the row, as constants, if the condition holds. */
  #rowIf<T extends AccountTable>(table: T, row: NewRow<T>, where: SQL): SQL {
    const given: Record<string, unknown> = Object.assign({}, row, { account: this.account });
    const picks = Object.entries(getTableColumns(table)).map(([key, column]) => {
      const value = given[key] === undefined ? (column.default ?? null) : given[key];
      return is(value, SQL) ? value : sql`${driverValue(column, value)}`;
    });
    return sql`SELECT ${sql.join(picks, sql`, `)} WHERE ${where}`;
  }

  #own(table: AccountTable, where: SQL | undefined): SQL | undefined {
    return and(eq(table.account, this.account), where);
  }
}

function sumOfChanges(results: unknown[]): number {
  return (results as { meta: { changes: number } }[]).reduce((sum, { meta }) => sum + meta.changes, 0);
}
