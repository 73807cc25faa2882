import { periodStart } from "./budget-rules.ts";
import {
  CONVERSATIONS_PER_NETWORK_DAY,
  GUESTS_SPEECH_PER_KEY_DAY,
  SPEECH_PER_KEY_DAY,
  SPEECH_PER_VISITOR_DAY,
} from "./key-limits.ts";

export interface VisitorConversation {
  /** The id of the widget key's row. */
  key: string;
  visitor: string;
  /** A guest's network; null for users, and if networks are not counted. */
  network: string | null;
}

/** The listener to an agent's own voice. `key` is the id of the widget key's row; null in tests. */
export interface Listener {
  visitor: string;
  key: string | null;
  guest: boolean;
}

/**
 * Counts, per day (UTC), the conversations that visitors and networks of guests began, and the characters that agents'
 * own voices spoke to visitors and through widget keys.
 */
export class VisitorDays {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts a conversation of a visitor, who may begin `most` per day; false if the limit is reached. */
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

  /** Checks whether the day's limits leave room for a part with this many characters. */
  hasSpeechLeft(listener: Listener, chars: number, now: number): boolean {
    const day = periodStart("day", now);
    return speechCounters(listener).every(({ key, who, most }) => {
      const [row] = this.#sql
        .exec<{ speech_chars: number }>(
          "SELECT speech_chars FROM visitor_days WHERE day = ? AND widget_key = ? AND who = ?",
          day,
          key,
          who,
        )
        .toArray();
      return (row?.speech_chars ?? 0) + chars <= most;
    });
  }

  countSpeech(listener: Listener, chars: number, now: number): void {
    const day = periodStart("day", now);
    this.#sql.exec("DELETE FROM visitor_days WHERE day < ?", day);
    for (const { key, who } of speechCounters(listener)) {
      this.#sql.exec(
        `INSERT INTO visitor_days (day, widget_key, who, conversations, speech_chars) VALUES (?, ?, ?, 0, ?)
         ON CONFLICT DO UPDATE SET speech_chars = speech_chars + excluded.speech_chars`,
        day,
        key,
        who,
        chars,
      );
    }
  }

  /** Removes a part with this many characters from the counts of the day on which it was counted. */
  uncountSpeech(listener: Listener, chars: number, countedAt: number): void {
    const day = periodStart("day", countedAt);
    for (const { key, who } of speechCounters(listener)) {
      this.#sql.exec(
        "UPDATE visitor_days SET speech_chars = max(0, speech_chars - ?) WHERE day = ? AND widget_key = ? AND who = ?",
        chars,
        day,
        key,
        who,
      );
    }
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

/** Returns the rows that count a listener's speech. A visitor's row counts all their widget keys together. */
function speechCounters({ visitor, key, guest }: Listener): { key: string; who: string; most: number }[] {
  const counters = [{ key: "", who: `visitor ${visitor}`, most: SPEECH_PER_VISITOR_DAY }];
  if (key !== null) counters.push({ key, who: "all", most: SPEECH_PER_KEY_DAY });
  if (key !== null && guest) counters.push({ key, who: "guests", most: GUESTS_SPEECH_PER_KEY_DAY });
  return counters;
}
