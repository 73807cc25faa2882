import { drizzle } from "drizzle-orm/d1";
import { observedBatch } from "../observing/observed-d1.ts";

/** One SQL statement and its parameters, as sent to the gate. */
export interface BoundStatement {
  sql: string;
  params: unknown[];
}

/** Runs statements as one atomic batch and returns D1's result of each. */
export type RunBatch = (statements: BoundStatement[]) => Promise<D1Result[]>;

/** A batch that changes configuration, and the tables it changes. */
export interface ConfigurationBatch {
  statements: BoundStatement[];
  tables: string[];
  /** The tables to which it only adds rows; an earlier release does not say. */
  added?: string[];
}

/** The outcome of a configuration batch: D1's results, or the constraint that refused all of it. */
export type ConfigurationOutcome = { results: D1Result[] } | { refused: string };

/** Where an account's statements are run. */
export interface AccountDatabase {
  run: RunBatch;
  /**
   * The only way to change configuration: through the account's gate, which raises the version that readers compare.
   */
  configure: (batch: ConfigurationBatch) => Promise<ConfigurationOutcome>;
}

/** Runs batches against D1 directly. */
export function directly(d1: Pick<D1Database, "prepare" | "batch">): RunBatch {
  return (statements) => observedBatch(d1, statements);
}

/** Drizzle over a database whose batches are run by `run`; statements are plain SQL and parameters. */
export function drizzleOver(run: RunBatch) {
  const client = { prepare: (sql: string) => ({ bind: (...params: unknown[]) => ({ sql, params }) }), batch: run };
  // Drizzle uses no other part of D1 for statements that run in batches.
  return drizzle(client as unknown as D1Database);
}
