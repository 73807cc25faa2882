import { periodStart } from "./budget-rules.ts";
import {
  CONVERSATIONS_PER_NETWORK_DAY,
  GUESTS_SPEECH_PER_KEY_DAY,
  SPEECH_PER_KEY_DAY,
  SPEECH_PER_VISITOR_DAY,
} from "./key-limits.ts";

/** A visitor's conversation that is to begin. */
export interface VisitorConversation {
  /** The widget key's row id. */
  key: string;
  visitor: string;
  /** A guest's; null for others, and where networks are not counted. */
  network: string | null;
}

/** Who hears an agent's own voice: `key` is the widget key's row id, null in tests. */
export interface Listener {
  visitor: string;
  key: string | null;
  guest: boolean;
}

/**
 * How many conversations visitors and networks of guests began on a day (UTC), and how many characters of agents' own
 * voices were spoken to visitors and through widget keys, in the meter's storage.
 */
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

  /** Whether the day's ceilings leave room for a part of so many characters. */
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

  /** Counts a part of so many characters. */
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

/** The rows that a listener's speech is counted in: a visitor's is that of all their widget keys. */
function speechCounters({ visitor, key, guest }: Listener): { key: string; who: string; most: number }[] {
  const counters = [{ key: "", who: `visitor ${visitor}`, most: SPEECH_PER_VISITOR_DAY }];
  if (key !== null) counters.push({ key, who: "all", most: SPEECH_PER_KEY_DAY });
  if (key !== null && guest) counters.push({ key, who: "guests", most: GUESTS_SPEECH_PER_KEY_DAY });
  return counters;
}
