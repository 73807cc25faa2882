import { drizzle } from "drizzle-orm/d1";

/** An SQL statement and its parameters, as sent to the gate. */
export interface BoundStatement {
  sql: string;
  params: unknown[];
}

/** Runs statements as one atomic batch and returns D1's results. */
export type RunBatch = (statements: BoundStatement[]) => Promise<D1Result[]>;

/** A batch that changes configuration, and the tables that it changes. */
export interface ConfigurationBatch {
  statements: BoundStatement[];
  tables: string[];
  /** The tables to which the batch only adds rows. */
  added: string[];
}

/**
 * The outcome of a configuration batch: D1's results, or the constraint because of which the whole batch was refused.
 */
export type ConfigurationOutcome = { results: D1Result[] } | { refused: string };

export interface AccountDatabase {
  /** Runs reads and internal writes. */
  db: ReturnType<typeof drizzleOver>;
  /**
   * Changes configuration through the account's gate, which raises the version that readers compare. Configuration
   * cannot be changed in any other way.
   */
  configure: (batch: ConfigurationBatch) => Promise<ConfigurationOutcome>;
}

/** Returns Drizzle over a database in which `run` runs the batches. Statements are plain SQL and parameters. */
export function drizzleOver(run: RunBatch) {
  const client = { prepare: (sql: string) => ({ bind: (...params: unknown[]) => ({ sql, params }) }), batch: run };
  // For statements that run in batches, Drizzle uses no other part of D1.
  return drizzle(client as unknown as D1Database);
}
