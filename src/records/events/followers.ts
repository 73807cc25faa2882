import pMap from "p-map";
import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import type { AgentIds } from "../../kernel/scopes.ts";
import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";
import type { EventLog, StoredEvent } from "./event-log.ts";
import type { EventType } from "./types.ts";

/** Where a webhook continues, and which events it gets. */
export interface Following {
  /** The last place that it has read; null at its beginning. */
  after: number | null;
  /** When it begins, ISO 8601. */
  begins_at: string;
  types: EventType[] | null;
  agentIds: AgentIds;
  limit: number;
}

/** A stretch of the sequence as a webhook looks at it. */
export interface Followed {
  events: StoredEvent[];
  /** The last place that it has read now. */
  cursor: number;
  /** The last place there is. */
  last: number;
  /** How many events it could not look at, since they are no longer kept. */
  missed: number;
}

/** What a webhook has to look at next. */
export function follow(log: EventLog, { after, begins_at, types, agentIds, limit }: Following): Followed {
  const { last } = log;
  const missed = after === null ? 0 : log.prunedAfter(after);
  const from = after === null ? log.placeBefore(Date.parse(begins_at)) : after + missed;
  const { events, next } = log.walk({ from, direction: "newer", types, agentIds, since: null, limit });
  return { events, cursor: next ?? last, last, missed };
}

/** Identifies a webhook's configuration: its revision, the sealing of its secrets, whether the account is open. */
export const stampOf = (revision: number, secrets: string, isOpen: boolean): string =>
  `${revision} ${secrets.split(".").slice(0, 3).join(".")}${isOpen ? "" : " closed"}`;

/** A webhook as D1 lists it. */
export interface ListedWebhook {
  id: string;
  stamp: string;
  enabled: boolean;
}

/** A webhook's object as it is notified; all methods are idempotent. */
export interface NotifiedWebhook {
  /** Its configuration is another now. */
  reconfigure(): Promise<void>;
  /** There are events up to this place. */
  notify(last: number): Promise<void>;
  /** It was deleted. */
  remove(): Promise<void>;
}

type Row = { webhook: string; stamp: string | null; enabled: number; told_stamp: string | null; told: number };

/** Webhooks notified at a time. */
const AT_ONCE = 6;
/** Retry delay for a webhook that is not reached, ms; it doubles up to the longest. */
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = MINUTE_MS;

interface Dependencies {
  sql: SqlStorage;
  /** The place of the last event. */
  last(): number;
  webhook(id: string): NotifiedWebhook;
  report(error: unknown): void;
}

/**
 * The account's webhooks, which are notified of new events and of changes of their configuration. A notified webhook has
 * stored it durably; one that was not reached is notified again. So webhooks need not poll.
 */
export class Followers implements ObjectPart {
  readonly #deps: Dependencies;
  readonly #failures = new Map<string, { count: number; notBefore: number }>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Notes the account's webhooks as D1 lists them now. */
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

  /** Notifies the webhooks that are due. */
  async run(now: number): Promise<void> {
    const due = this.#owed().filter(({ webhook }) => (this.#failures.get(webhook)?.notBefore ?? 0) <= now);
    await pMap(due, (row) => this.#notify(row, now), { concurrency: AT_ONCE });
  }

  resume(): void {
    this.#failures.clear();
  }

  async #notify(
    { webhook, stamp, enabled, told_stamp: notifiedStamp, told: notifiedThrough }: Row,
    now: number,
  ): Promise<void> {
    const { sql, last, report } = this.#deps;
    const object = this.#deps.webhook(webhook);
    const place = last();
    try {
      if (stamp === null) {
        await object.remove();
        sql.exec("DELETE FROM followers WHERE webhook = ? AND stamp IS NULL", webhook);
      } else {
        if (stamp !== notifiedStamp) await object.reconfigure();
        if (enabled === 1 && notifiedThrough < place) await object.notify(place);
        sql.exec("UPDATE followers SET told_stamp = ?, told = max(told, ?) WHERE webhook = ?", stamp, place, webhook);
      }
      this.#failures.delete(webhook);
    } catch (error) {
      const count = this.#failures.get(webhook)?.count ?? 0;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** count);
      this.#failures.set(webhook, { count: count + 1, notBefore: now + wait });
      report(error);
    }
  }

  /** Scans all webhooks: there are few. */
  #owed(): Row[] {
    return this.#deps.sql
      .exec<Row>(
        "SELECT * FROM followers WHERE stamp IS NULL OR stamp IS NOT told_stamp OR (enabled = 1 AND told < ?)",
        this.#deps.last(),
      )
      .toArray();
  }
}
