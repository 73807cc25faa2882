/* The time by the other person's clock, as a model is told it: as data, and never within the instructions. */
import { localTime } from "../../../kernel/rendering/built-in.ts";
import { timeNote } from "../models/notes.ts";
import type { SessionSnapshot } from "../session/session.ts";
import { documentFacts, factsOf } from "./instructions.ts";

/** The other person's clock: their zone, and the time there when the session began. */
export type PersonClock = Pick<SessionSnapshot, "timezone" | "local_time">;

const BEGAN =
  "When the conversation began, by the clock of the other person, as JSON. Later times are noted before their words.";

/** The languages of the conversation. */
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
 * Everything that a model is told as data before the conversation: when it began, the documents in the prompt, and what is
 * known about the other party. It does not change with the time, so that makers of models can cache a request up to what was said last.
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
 * Returns what to note of the time of one user turn after another (ISO 8601): nothing while the minute is the same. The
 * notes follow from the turns alone, so that each request repeats them as they were.
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
