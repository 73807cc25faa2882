import { drizzle } from "drizzle-orm/d1";

/** One SQL statement and its parameters: all that travels of it. */
export interface BoundStatement {
  sql: string;
  params: unknown[];
}

/** Runs statements as one atomic batch, and gives what D1 gives for each. */
export type RunBatch = (statements: BoundStatement[]) => Promise<D1Result[]>;

/** A batch that changes what an account configures, and the tables it changes. */
export interface ConfigurationBatch {
  statements: BoundStatement[];
  tables: string[];
}

/** What a configuration batch came to: D1's results, or the constraint that refused it whole. */
export type ConfigurationOutcome = { results: D1Result[] } | { refused: string };

/** Where an account's statements go. */
export interface AccountDatabase {
  run: RunBatch;
  /** The one way to what the account configures: through its gate, which tells everybody that it has changed. */
  configure: (batch: ConfigurationBatch) => Promise<ConfigurationOutcome>;
}

/** Batches that go to D1 from here. */
export function directly(d1: Pick<D1Database, "prepare" | "batch">): RunBatch {
  return (statements) => d1.batch(statements.map(({ sql, params }) => d1.prepare(sql).bind(...params)));
}

/** Drizzle over a database whose batches are run by `run`; its statements are no more than SQL and parameters. */
export function drizzleOver(run: RunBatch) {
  const client = { prepare: (sql: string) => ({ bind: (...params: unknown[]) => ({ sql, params }) }), batch: run };
  // Drizzle asks no more of D1 than this for what runs in batches.
  return drizzle(client as unknown as D1Database);
}
