import { HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";
import { MOST_SESSION_HOURS } from "../sign-in-policy/policy.ts";
import { JoinedSessions } from "./joined-sessions.ts";

export const CONSOLE_SESSIONS = `
  CREATE TABLE console_sessions (
    id TEXT PRIMARY KEY, user TEXT NOT NULL, refresh_token TEXT NOT NULL, begun_at INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL, device TEXT NOT NULL, address TEXT NOT NULL, second_factor INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** The device and address from which a session is used. */
export interface Client {
  device: string;
  address: string;
}

/** A session about to begin; times are in ms. */
export interface NewSession extends Client {
  id: string;
  user: string;
  /** The `jti` of its first refresh token. */
  refreshToken: string;
  begunAt: number;
  /** Whether the user gave a code of their second factor. */
  secondFactor: boolean;
}

/** A renewable session: one sign-in and all the tokens that follow from it. */
export interface SessionFamily extends NewSession {
  renewedAt: number;
  /** When the latest request was admitted (since the gate was rebuilt), or the session was renewed. */
  seenAt: number;
}

/** The outcome of a refresh. `spent` ends the session, because a token that is used twice may be stolen. */
export type Renewal = "renewed" | "spent" | "unknown";

/** The maximum number of sessions of a user. Beyond that, the least recently used ones end. */
const MOST_OF_A_USER = 200;
/** How long a session is kept after it began, ms: its maximum duration, and a minute because clocks differ. */
export const FAMILY_KEPT_MS = MOST_SESSION_HOURS * HOUR_MS + MINUTE_MS;

type Row = {
  id: string;
  user: string;
  refresh_token: string;
  begun_at: number;
  renewed_at: number;
  device: string;
  address: string;
  second_factor: number;
};

/**
 * Stores the account's renewable console sessions. All methods are synchronous, so that only one of two concurrent
 * renewals succeeds.
 */
export class SessionFamilies {
  readonly joined: JoinedSessions;
  readonly #sql: SqlStorage;
  readonly #held = new Map<string, SessionFamily>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.joined = new JoinedSessions(sql);
    for (const row of sql.exec<Row>("SELECT * FROM console_sessions")) this.#held.set(row.id, familyOf(row));
  }

  get(id: string): SessionFamily | undefined {
    return this.#held.get(id);
  }

  /** Returns the user's sessions, the latest sign-in first. */
  of(user: string): SessionFamily[] {
    return [...this.#held.values()].filter((one) => one.user === user).sort((a, b) => b.begunAt - a.begunAt);
  }

  /** Returns when each user was last seen, ms. */
  lastSeen(): Map<string, number> {
    const seen = new Map<string, number>();
    for (const { user, seenAt } of this.#held.values()) seen.set(user, Math.max(seenAt, seen.get(user) ?? 0));
    return seen;
  }

  /** Begins a session. Returns those of the user's sessions that exceed the limit. */
  begin(session: NewSession, now: number): SessionFamily[] {
    this.#prunePast(now);
    this.#put(Object.assign({}, session, { renewedAt: now, seenAt: now }));
    return this.of(session.user)
      .sort((a, b) => b.seenAt - a.seenAt)
      .slice(MOST_OF_A_USER);
  }

  /** Replaces the presented refresh token by `next`, if it is the current one. */
  renew(id: string, presented: string, next: string, client: Client, now: number): Renewal {
    const held = this.#held.get(id);
    if (!held) return "unknown";
    if (held.refreshToken !== presented) return "spent";
    this.#put(Object.assign({}, held, client, { refreshToken: next, renewedAt: now, seenAt: now }));
    return "renewed";
  }

  /** Records a request of the session. Only in memory, so that requests don't wait for the disk. */
  seen(id: string, now: number): void {
    const held = this.#held.get(id);
    if (held) held.seenAt = now;
  }

  /** Renews the session when the session to which it is joined is renewed. */
  renewed(id: string, now: number): void {
    const held = this.#held.get(id);
    if (held) this.#put(Object.assign({}, held, { renewedAt: now, seenAt: now }));
  }

  setSecondFactor(id: string, secondFactor: boolean): void {
    const held = this.#held.get(id);
    if (held) this.#put(Object.assign({}, held, { secondFactor }));
  }

  /** Ends a session. The sessions that are joined to it stay stored until their accounts have ended them too. */
  end(id: string): void {
    if (this.#held.delete(id)) this.#sql.exec("DELETE FROM console_sessions WHERE id = ?", id);
  }

  #put(family: SessionFamily): void {
    const { id, user, refreshToken, begunAt, renewedAt, device, address, secondFactor } = family;
    this.#held.set(id, family);
    this.#sql.exec(
      "INSERT OR REPLACE INTO console_sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      user,
      refreshToken,
      begunAt,
      renewedAt,
      device,
      address,
      secondFactor ? 1 : 0,
    );
  }

  #prunePast(now: number): void {
    for (const { id, begunAt } of this.#held.values()) {
      if (begunAt > now - FAMILY_KEPT_MS) continue;
      this.end(id);
      this.joined.delete(id);
    }
  }
}

function familyOf(row: Row): SessionFamily {
  return {
    id: row.id,
    user: row.user,
    refreshToken: row.refresh_token,
    begunAt: row.begun_at,
    renewedAt: row.renewed_at,
    seenAt: row.renewed_at,
    device: row.device,
    address: row.address,
    secondFactor: row.second_factor === 1,
  };
}
