import { MINUTE_MS } from "../../kernel/time.ts";
import { FAMILY_KEPT_MS, SessionFamilies } from "./session-families.ts";

/** How long an ended session is remembered after its token has expired, because clocks differ, ms. */
const CLOCKS_APART_MS = MINUTE_MS;

/**
 * Sessions that began before these times (ms) are over: `account` applies to all users of the account, `user` to one.
 * Null means that no such limit is set.
 */
export interface ValidAfter {
  account: number | null;
  user: number | null;
}

/** Checks whether a session began late enough. */
export function beganAfter(issuedAt: number, { account, user }: ValidAfter): boolean {
  return issuedAt >= (account ?? 0) && issuedAt >= (user ?? 0);
}

/** The gate's knowledge of console sessions. */
export interface SessionStates {
  ended: string[];
  /** By session id: the end of the user's sessions (ms) that this session survived. */
  outlived: Record<string, number>;
}

/** What live leases are checked against. `stamp` changes with every change of admission, and is null during one. */
export interface GateAccess {
  stamp: string | null;
  sessions: SessionStates;
}

/**
 * Stores the account's renewable sessions, and those that have ended or have survived the end of their user's other
 * sessions. Each is stored until its token would have expired.
 */
export class SessionLedger {
  readonly families: SessionFamilies;
  readonly #sql: SqlStorage;
  readonly #ended = new Set<string>();
  /** By session id: the `sessions_valid_after` (ms) that the session survives. */
  readonly #kept = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.families = new SessionFamilies(sql);
    const rows = sql.exec<{ id: string; outlives: number | null }>("SELECT id, outlives FROM sessions").toArray();
    for (const { id, outlives } of rows) {
      if (outlives === null) this.#ended.add(id);
      else this.#kept.set(id, outlives);
    }
  }

  /** Ends a session, and remembers that until all its tokens have expired; times are in ms. */
  end(id: string, now: number, expiresAt = now + FAMILY_KEPT_MS): void {
    this.families.end(id);
    this.#write(id, expiresAt, null, now);
    this.#ended.add(id);
    this.#kept.delete(id);
  }

  /** Keeps a session alive although the user's sessions that began before `outlives` (ms) end. */
  keep(id: string, outlives: number, expiresAt: number, now: number): void {
    this.#write(id, expiresAt, outlives, now);
    this.#kept.set(id, outlives);
  }

  isEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Returns the end of the user's sessions (ms) that this session survived; 0 if there is none. */
  outlived(id: string): number {
    return this.#kept.get(id) ?? 0;
  }

  /**
   * Checks whether a session that began at `issuedAt` (ms) is valid, given that sessions from before `validAfter` are
   * not.
   */
  isGood({ id, issuedAt }: { id: string; issuedAt: number }, validAfter: ValidAfter): boolean {
    if (this.#ended.has(id)) return false;
    const outlivesUsers = validAfter.user !== null && this.#kept.get(id) === validAfter.user;
    return beganAfter(issuedAt, outlivesUsers ? { account: validAfter.account, user: null } : validAfter);
  }

  /** Returns, by session id, the end of the user's sessions that the session survived. */
  outlivedOf(sessions: string[]): Record<string, number> {
    return Object.fromEntries(
      sessions.flatMap((id) => {
        const outlives = this.#kept.get(id);
        return outlives === undefined ? [] : [[id, outlives]];
      }),
    );
  }

  #write(id: string, expiresAt: number, outlives: number | null, now: number): void {
    const past = this.#sql
      .exec<{ id: string }>("DELETE FROM sessions WHERE expires_at < ? RETURNING id", now - CLOCKS_APART_MS)
      .toArray();
    for (const gone of past) {
      this.#ended.delete(gone.id);
      this.#kept.delete(gone.id);
    }
    this.#sql.exec(
      "INSERT OR REPLACE INTO sessions (id, expires_at, outlives) VALUES (?, ?, ?)",
      id,
      expiresAt,
      outlives,
    );
  }
}
