import { drizzle } from "drizzle-orm/d1";

/** An SQL statement and its parameters, as sent to the gate. */
export interface BoundStatement {
  sql: string;
  params: unknown[];
}

/** Runs statements as one atomic batch and returns D1's results. */
export type RunBatch = (statements: BoundStatement[]) => Promise<D1Result[]>;

/** A batch that changes configuration, and the tables it changes. */
export interface ConfigurationBatch {
  statements: BoundStatement[];
  tables: string[];
  /** The tables to which it only adds rows. */
  added: string[];
}

/** The outcome of a configuration batch: D1's results, or the constraint for which all of it was refused. */
export type ConfigurationOutcome = { results: D1Result[] } | { refused: string };

export interface AccountDatabase {
  /** Runs reads and bookkeeping. */
  db: ReturnType<typeof drizzleOver>;
  /**
   * Changes configuration through the account's gate, which raises the version that readers compare. There is no other
   * way to change it.
   */
  configure: (batch: ConfigurationBatch) => Promise<ConfigurationOutcome>;
}

/** Returns Drizzle over a database whose batches are run by `run`; statements are plain SQL and parameters. */
export function drizzleOver(run: RunBatch) {
  const client = { prepare: (sql: string) => ({ bind: (...params: unknown[]) => ({ sql, params }) }), batch: run };
  // Drizzle uses no other part of D1 for statements that run in batches.
  return drizzle(client as unknown as D1Database);
}
