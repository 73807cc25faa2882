import type { InferInsertModel, InferSelectModel, SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";

/** A table whose rows belong to an account. */
export type AccountTable = SQLiteTable & { account: SQLiteColumn };
export type Row<T extends AccountTable> = InferSelectModel<T>;
/** The values that a caller may set: all except the account, which the store sets. */
export type NewRow<T extends AccountTable> = {
  [K in keyof Omit<InferInsertModel<T>, "account">]: InferInsertModel<T>[K] | SQL;
};
/** A row that contains only plain values. */
export type PlainRow<T extends AccountTable> = Omit<InferInsertModel<T>, "account">;
export type Changes<T extends AccountTable> = Omit<SQLiteUpdateSetSource<T>, "account">;
