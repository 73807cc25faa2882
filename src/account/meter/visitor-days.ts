import { periodStart } from "./budget-rules.ts";
import { CONVERSATIONS_PER_NETWORK_DAY } from "./key-limits.ts";

/** A visitor's conversation that is to begin. */
export interface VisitorConversation {
  /** The widget key's row id. */
  key: string;
  visitor: string;
  /** A guest's; null for others, and where networks are not counted. */
  network: string | null;
}

/** How many conversations visitors and networks of guests began on a day (UTC), in the meter's storage. */
export class VisitorDays {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts one more conversation of a visitor, who may have `most` a day; false if it is one too many. */
  count({ key, visitor, network }: VisitorConversation, most: number, now: number): boolean {
    const day = periodStart("day", now);
    const counted = [{ who: `visitor ${visitor}`, most }];
    if (network !== null) counted.push({ who: `network ${network}`, most: CONVERSATIONS_PER_NETWORK_DAY });
    if (counted.some(({ who, most }) => this.#begun(day, key, who) >= most)) return false;
    this.#sql.exec("DELETE FROM visitor_days WHERE day < ?", day);
    for (const { who } of counted) {
      this.#sql.exec(
        `INSERT INTO visitor_days (day, widget_key, who, conversations) VALUES (?, ?, ?, 1)
         ON CONFLICT DO UPDATE SET conversations = conversations + 1`,
        day,
        key,
        who,
      );
    }
    return true;
  }

  #begun(day: number, key: string, who: string): number {
    const [row] = this.#sql
      .exec<{ conversations: number }>(
        "SELECT conversations FROM visitor_days WHERE day = ? AND widget_key = ? AND who = ?",
        day,
        key,
        who,
      )
      .toArray();
    return row?.conversations ?? 0;
  }
}
