/* Tells a model the other person's local time, as data and never within the instructions. */
import { localTime } from "../../../kernel/rendering/built-in.ts";
import { timeNote } from "../models/notes.ts";
import type { SessionSnapshot } from "../session/session.ts";
import { documentFacts, factsOf } from "./instructions.ts";

/** The other person's time zone, and their local time when the session began. */
export type PersonClock = Pick<SessionSnapshot, "timezone" | "local_time">;

const BEGAN =
  "When the conversation began, by the clock of the other person, as JSON. Later times are noted before their words.";

interface Spoken {
  agent: Pick<SessionSnapshot["agent"], "language" | "languages">;
}

const LANGUAGE =
  "The language in which the conversation begins, and in which the other person is understood and answered, as JSON.";

function spokenOf({ agent: { language, languages } }: Spoken): string {
  const others = languages.length === 0 ? {} : { may_change_to: languages };
  return `${LANGUAGE}\n${JSON.stringify(Object.assign({ language }, others))}`;
}

/**
 * Returns the data for a model before the conversation: when it began, the documents in the prompt, and facts about the
 * other party. It stays the same, so that vendors can cache a request up to the latest words.
 */
export function dataOf(
  snapshot: PersonClock & Spoken & Pick<SessionSnapshot, "variables" | "documents">,
  hasOptedOut = false,
): string {
  const { date, weekday, time } = snapshot.local_time;
  const began = `${BEGAN}\n${JSON.stringify({ date, weekday, time, timezone: snapshot.timezone })}`;
  const parts = [began, spokenOf(snapshot), documentFacts(snapshot), factsOf(snapshot, hasOptedOut)];
  return parts.filter((part) => part !== "").join("\n");
}

/**
 * Returns a function to be called with the time of each user turn in order (ISO 8601). It returns a note if the minute
 * has changed since the previous note. The notes depend only on the turns, so every request repeats the same notes.
 */
export function timeNotes({ timezone, local_time }: PersonClock): (at: string) => { note?: string } {
  let told = timeNote(local_time);
  return (at) => {
    const note = timeNote(localTime(timezone, Date.parse(at)));
    if (note === told) return {};
    told = note;
    return { note };
  };
}
