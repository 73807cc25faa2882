import pMap from "p-map";
import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import type { AgentIds } from "../../kernel/scopes.ts";
import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";
import type { EventLog, StoredEvent } from "./event-log.ts";
import type { EventType } from "./types.ts";

/** Where a webhook continues, and which events it receives. */
export interface Following {
  /** The sequence number of the last event it read; null if it has read none. */
  after: number | null;
  /** Only events from this time on are sent (ISO 8601). */
  begins_at: string;
  types: EventType[] | null;
  agentIds: AgentIds;
  limit: number;
}

/** The next events for a webhook. */
export interface Followed {
  events: StoredEvent[];
  /** The sequence number up to which the webhook has now read. */
  cursor: number;
  /** The sequence number of the newest event. */
  last: number;
  /** How many events the webhook missed because they were pruned. */
  missed: number;
}

/** Returns the next events for a webhook. */
export function follow(log: EventLog, { after, begins_at, types, agentIds, limit }: Following): Followed {
  const { last } = log;
  const missed = after === null ? 0 : log.prunedAfter(after);
  const from = after === null ? log.sequenceBefore(Date.parse(begins_at)) : after + missed;
  const { events, next } = log.walk({ from, direction: "newer", types, agentIds, since: null, limit });
  return { events, cursor: next ?? last, last, missed };
}

/** Identifies a webhook's configuration: its revision, its sealed secrets, and whether the account is open. */
export const stampOf = (revision: number, secrets: string, isOpen: boolean): string =>
  `${revision} ${secrets.split(".").slice(0, 3).join(".")}${isOpen ? "" : " closed"}`;

export interface ListedWebhook {
  id: string;
  stamp: string;
  enabled: boolean;
}

/** The object of a webhook, as it is notified. All methods are idempotent. */
export interface NotifiedWebhook {
  /** Reports that the configuration has changed. */
  reconfigure(): Promise<void>;
  /** Reports that there are events up to this sequence number. */
  notify(last: number): Promise<void>;
  /** Reports that the webhook was deleted. */
  remove(): Promise<void>;
}

type Row = { webhook: string; stamp: string | null; enabled: number; notified_stamp: string | null; notified: number };

/** The number of webhooks that are notified at a time. */
const AT_ONCE = 6;
/** Retry delay for an unreachable webhook, ms. It doubles up to the longest delay. */
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = MINUTE_MS;

interface Dependencies {
  sql: SqlStorage;
  /** The account's events. */
  log: Pick<EventLog, "last">;
  webhook(id: string): NotifiedWebhook;
  report(error: unknown): void;
}

/**
 * The account's webhooks. They are notified of new events and of changed configuration, so that they need not poll. A
 * webhook counts as notified once it has stored the notification durably; until then the notification is retried.
 */
export class Followers implements ObjectPart {
  readonly #deps: Dependencies;
  readonly #failures = new Map<string, { count: number; notBefore: number }>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Stores the current list of the account's webhooks from D1. */
  listed(webhooks: readonly ListedWebhook[]): void {
    const { sql } = this.#deps;
    const json = JSON.stringify(webhooks.map(({ id, stamp, enabled }) => [id, stamp, Number(enabled)]));
    sql.exec(
      `INSERT INTO followers (webhook, stamp, enabled) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
        ON CONFLICT (webhook) DO UPDATE SET stamp = excluded.stamp, enabled = excluded.enabled`,
      json,
    );
    sql.exec("UPDATE followers SET stamp = NULL WHERE webhook NOT IN (SELECT value ->> 0 FROM json_each(?))", json);
  }

  dueAt(): number | null {
    return earliest(this.#owed().map(({ webhook }) => this.#failures.get(webhook)?.notBefore ?? 0));
  }

  async run(now: number): Promise<void> {
    const due = this.#owed().filter(({ webhook }) => (this.#failures.get(webhook)?.notBefore ?? 0) <= now);
    await pMap(due, (row) => this.#notify(row, now), { concurrency: AT_ONCE });
  }

  resume(): void {
    this.#failures.clear();
  }

  async #notify(
    { webhook, stamp, enabled, notified_stamp: notifiedStamp, notified: notifiedThrough }: Row,
    now: number,
  ): Promise<void> {
    const { sql, log, report } = this.#deps;
    const object = this.#deps.webhook(webhook);
    const newest = log.last;
    try {
      if (stamp === null) {
        await object.remove();
        sql.exec("DELETE FROM followers WHERE webhook = ? AND stamp IS NULL", webhook);
      } else {
        if (stamp !== notifiedStamp) await object.reconfigure();
        if (enabled === 1 && notifiedThrough < newest) await object.notify(newest);
        sql.exec(
          "UPDATE followers SET notified_stamp = ?, notified = max(notified, ?) WHERE webhook = ?",
          stamp,
          newest,
          webhook,
        );
      }
      this.#failures.delete(webhook);
    } catch (error) {
      const count = this.#failures.get(webhook)?.count ?? 0;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** count);
      this.#failures.set(webhook, { count: count + 1, notBefore: now + wait });
      report(error);
    }
  }

  /** Returns the webhooks with a pending notification. It scans all webhooks, because there are few. */
  #owed(): Row[] {
    return this.#deps.sql
      .exec<Row>(
        "SELECT * FROM followers WHERE stamp IS NULL OR stamp IS NOT notified_stamp OR (enabled = 1 AND notified < ?)",
        this.#deps.log.last,
      )
      .toArray();
  }
}
