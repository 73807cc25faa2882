import { subtagOf } from "../../agent/speech/language.ts";
import { LINES_ABROAD, type LinesAbroad } from "./sandbox-people-abroad.ts";

/** A line that a caller says after the agent's words. */
export interface Line {
  says: string;
  /** The caller interrupts the agent after this many words, if the agent has more to say. */
  interruptsAfterWords?: number;
  /** Number of pauses before the line; one if omitted. */
  pauses?: number;
}

/** A simulated caller, who hangs up when the agent has answered the last line. */
export interface Person {
  name: string;
  lines: readonly Line[];
}

/** The simulated callers by the last digit of the number. */
export const PEOPLE: readonly Person[] = [
  {
    name: "interested",
    lines: [
      { says: "Yes, this is a good time. That sounds interesting." },
      { says: "How can I pay for it?" },
      { says: "Great, I am interested. Thank you, goodbye." },
    ],
  },
  {
    name: "asks for the opening hours",
    lines: [{ says: "When are you open? What are your opening hours?" }, { says: "Thank you very much, goodbye." }],
  },
  {
    name: "asks about delivery, and for an order",
    lines: [
      { says: "How long does delivery take?" },
      { says: "Could you look up order 1042 for me?" },
      { says: "Good to know, thanks. Bye." },
    ],
  },
  {
    name: "not interested",
    lines: [{ says: "No thanks, I am not interested. Goodbye." }],
  },
  {
    name: "slow, and says little",
    lines: [
      { says: "Hm.", pauses: 4 },
      { says: "Well. Bye.", pauses: 3 },
    ],
  },
  {
    name: "asks for a callback",
    lines: [
      { says: "I have no time now. Please call me back tomorrow morning at ten." },
      { says: "Perfect, thank you. Goodbye." },
    ],
  },
  {
    name: "talks over the agent",
    lines: [
      { says: "How do returns and refunds work?" },
      { says: "Sorry, one moment. How long does the refund take?", interruptsAfterWords: 4 },
      { says: "All right. Thank you, goodbye." },
    ],
  },
  {
    name: "asks for a person",
    lines: [{ says: "I would like to talk to a person, please." }, { says: "Thank you. Goodbye." }],
  },
  {
    name: "asks who is calling",
    lines: [
      { says: "Who is this, please?" },
      { says: "I see. Where are you, and can I park there?" },
      { says: "Thanks, that helps. Bye." },
    ],
  },
  {
    name: "is somebody else",
    lines: [{ says: "You have the wrong number, I do not know that name." }, { says: "No problem. Goodbye." }],
  },
];

/**
 * Callers who opt out. Only numbers with these digits opt out, because opting out puts a number on the do-not-call
 * list, and later calls would not reach it.
 */
const OPTS_OUT: Person = {
  name: "wants no more calls",
  lines: [{ says: "Stop calling me, and take me off your list." }],
};
const OPTS_OUT_DIGITS = "18";

/**
 * Returns the person with this number. They speak the language (BCP 47) if there are people for it, otherwise English.
 */
export function personAt(number: string, language = "en"): Person {
  const abroad = LINES_ABROAD[subtagOf(language)];
  if (abroad) return personAbroad(number, abroad);
  if (number.endsWith(OPTS_OUT_DIGITS)) return OPTS_OUT;
  const person = PEOPLE[Number(number.slice(-1))];
  if (!person) throw new TypeError("a number ends in a digit");
  return person;
}

function personAbroad(number: string, { interested, notInterested, later, optsOut }: LinesAbroad): Person {
  if (number.endsWith(OPTS_OUT_DIGITS)) return saying("wants no more calls", [optsOut]);
  const people = [
    saying("interested", interested),
    saying("not interested", notInterested),
    saying("asks for a callback", later),
  ];
  return people[Number(number.slice(-1)) % people.length] ?? saying("interested", interested);
}

const saying = (name: string, lines: readonly string[]): Person => ({ name, lines: lines.map((says) => ({ says })) });

/** Returns a person who says these lines; without lines they listen until the agent ends the call. */
export function personWhoSays(lines: readonly string[]): Person {
  return saying("as ordered", lines);
}

/** Returns the first words of a text, as an interrupting caller hears them; null until the text is longer. */
export function beginningOf(words: number, text: string): string | null {
  const first = new RegExp(`^\\s*(?:\\S+\\s+){${words - 1}}\\S+(?=\\s+\\S)`).exec(text);
  return first?.[0] ?? null;
}
