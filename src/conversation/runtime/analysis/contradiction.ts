import type { Evidence, Words } from "./evidence.ts";
import { type Mention, plainText } from "./readings/tokens.ts";

const words = (list: string) => new RegExp(`(?<!\\p{L})(?:${list.replaceAll(" ", "|")})(?!\\p{L})`, "u");

/** Words that may move the day that a turn names. */
const OTHER_DAY = words(
  "not or after before week weeks day days later earlier except until till " +
    "nicht oder nach woche wochen tage tagen später ou après semaine jours después antes semana semanas días dopo settimana " +
    "giorni depois dias niet lub przed dni",
);
/** Words that may change the number that a turn names: to a sum, a half or a range. */
const OTHER_NUMBER = words(
  "not or and plus minus with without me my myself us half quarter couple pair each every per times double twice less more " +
    "about under over almost nearly except und oder mit ohne mich halb mehr weniger et avec sans ou moi plus moins y con sin o " +
    "medio más menos ed ohne senza meno più com sem mais met zonder meer minder z bez",
);
/** What may follow a number that is the whole answer: the end, people or money, or a place or time. */
const WHOLE_ANSWER =
  /^\s*(?:$|[.,;!?。、]|(?:people|persons?|guests?|seats?|dollars?|euros?|pounds?|personen|personas|personnes|persone|pessoas|osoby|osób|please|thanks|bitte|on|at|in|for|from|this|next|am|um|人|名|円)(?!\p{L}))/u;

/**
 * Checks whether these words contradict a number: they name exactly one other number, it is the whole answer, and
 * nothing beside it changes it. Anything from which the number could be calculated is not a contradiction.
 */
export function deniesNumber(evidence: Evidence, said: readonly Words[], claimed: readonly number[]): boolean {
  const others = said.flatMap((each) => {
    const days = evidence.dates(each);
    const isOfDay = ({ from, to }: Mention<unknown>) => days.some((day) => from < day.to && day.from < to);
    return evidence
      .numbers(each)
      .flatMap((mention) => (isOfDay(mention) ? [] : [{ mention, plain: plainText(each.text) }]));
  });
  const [only] = others;
  if (only === undefined || others.length > 1 || said.some(({ text }) => OTHER_NUMBER.test(plainText(text))))
    return false;
  const { mention, plain } = only;
  return mention.isSure && WHOLE_ANSWER.test(plain.slice(mention.to, mention.to + 40)) && isNone(mention, claimed);
}

/** Checks whether these words contradict a day: they name exactly one other day, and no word moves it. */
export function deniesDay(evidence: Evidence, said: readonly Words[], claimed: string): boolean {
  const [only, ...more] = said.flatMap((each) =>
    evidence.dates(each).map((mention) => ({ mention, plain: plainText(each.text) })),
  );
  if (only === undefined || more.length > 0) return false;
  const { mention, plain } = only;
  const beside = `${plain.slice(0, mention.from)} ${plain.slice(mention.to)}`;
  const isMoved = said.some(({ text }) => OTHER_DAY.test(plainText(text) === plain ? beside : plainText(text)));
  return !isMoved && isNone(mention, [claimed]);
}

/**
 * Checks whether these words contradict an email address: they name exactly one written address, and it is another one.
 */
export function deniesEmail(evidence: Evidence, said: readonly Words[], claimed: string): boolean {
  const [only, ...more] = said.flatMap((each) =>
    evidence.emails(each).map((mention) => ({ mention, plain: plainText(each.text) })),
  );
  if (only === undefined || more.length > 0) return false;
  const { mention, plain } = only;
  const isWritten = !/\s/.test(plain.slice(mention.from, mention.to));
  return isWritten && isNone(mention, [claimed]);
}

function isNone<T>({ values }: Mention<T>, claimed: readonly T[]): boolean {
  return !claimed.some((value) => values.includes(value));
}
