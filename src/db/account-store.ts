import { and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { v7 as uuidv7 } from "uuid";
import { AccountStatements } from "./account-statements.ts";
import { type AuditChanges, accounts, auditLog, users } from "./schema/index.ts";
import {
  type AnyStatement,
  close,
  isSubject,
  open,
  type Read,
  type Results,
  Series,
  type Statement,
  seriesOf,
  type Write,
} from "./statement.ts";

export { type Read, subject, type Write } from "./statement.ts";

/** The audit entry of a write (GET /audit-log). It names things, never their content. */
export interface AuditEntry {
  action: string;
  resource: string;
  resource_id: string;
  /** Which fields changed. */
  changes?: AuditChanges;
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
export class AccountStore extends AccountStatements {
  readonly #db: DrizzleD1Database;
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
    const db = drizzle(d1 as D1Database);
    super(db, account);
    this.#db = db;
    this.#author = author;
    this.#cleared = cleared;
    this.#user = user;
  }

  /** Reads in one D1 round trip. */
  async read<S extends readonly Read<unknown>[]>(...statements: S): Promise<Results<S>> {
    return this.#run(statements);
  }

  /**
   * Changes and their audit entry in one atomic D1 round trip. The entry is about the statement marked as its
   * `subject`, else the first, and is written if that changed a row: a write that found nothing leaves no trace.
   */
  async write<S extends readonly [Write<unknown>, ...AnyStatement[]]>(
    entry: AuditEntry,
    ...statements: S
  ): Promise<Results<S>> {
    const about = statements.find(isSubject) ?? statements[0];
    const batch = statements.map((one) => (one === about ? this.#audited(one, entry) : one));
    return (await this.#run(batch)) as unknown as Results<S>;
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
  #audited(change: AnyStatement, entry: AuditEntry): Write<unknown> {
    const { builders, result } = seriesOf(open(change));
    const audit = this.#audit(entry);
    const audited = builders.flatMap((builder) => [builder, audit]);
    return close(new Series(audited, (results) => result(results.filter((_, i) => i % 2 === 0))));
  }

  #audit({ action, resource, resource_id, changes }: AuditEntry) {
    const at = new Date();
    const { actor, request_id } = this.#author;
    // Made in order, so that entries of the same millisecond keep theirs.
    const id = uuidv7();
    return this.#db
      .insert(auditLog)
      .select(
        sql`SELECT ${this.account}, ${id}, ${at.toISOString()}, ${actor}, ${action}, ${resource}, ${resource_id}, ${request_id}, ${changes ? JSON.stringify(changes) : null} WHERE changes() > 0`,
      )
      .onConflictDoNothing();
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

function causes(error: unknown): string {
  return error instanceof Error ? `${error.message} ${causes(error.cause)}` : "";
}
