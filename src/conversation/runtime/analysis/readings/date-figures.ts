import { type Day, dayOf, daysFrom, nearestDay } from "./days.ts";
import { japaneseNumber } from "./japanese.ts";
import type { Mention } from "./tokens.ts";

const YEAR_FIRST = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g;
const YEAR_LAST = /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2}(?=$|[\s,;!?)]))(?!\d)/g;
/** The form in German, Polish and other languages: "am 24.12." */
const WITHOUT_YEAR = /(?<![\d/.-])(\d{1,2})\.(\d{1,2})\.(?=$|[\s,;!?)])/g;

const NUMBER = "(\\d{1,2}|[一二三四五六七八九十]{1,3})";
const JAPANESE = new RegExp(`(?:(\\d{4}|[〇零一二三四五六七八九十千]{2,7})年)?${NUMBER}月${NUMBER}日`, "gu");
const JAPANESE_RELATIVE = /明後日|あさって|一昨日|おととい|明日|あした|昨日|きのう|今日|きょう/gu;
const JAPANESE_DAYS: Record<string, number> = Object.fromEntries(
  [
    ["明後日 あさって", 2],
    ["明日 あした", 1],
    ["今日 きょう", 0],
    ["昨日 きのう", -1],
    ["一昨日 おととい", -2],
  ].flatMap(([words, days]) =>
    String(words)
      .split(" ")
      .map((word) => [word, Number(days)]),
  ),
);
const JAPANESE_DISTANCE = /(\d{1,3}|[一二三四五六七八九十]{1,3})(日|週間)(後|前)/gu;
const JAPANESE_WEEKDAY = /(?:(来週|今週|先週|次|今度)の?)?([月火水木金土日])曜日?/gu;

type Found = Pick<Mention<Day>, "from" | "to"> & { days: (Day | null)[]; isSure?: boolean };

/** Returns the days that are written in figures. */
export function daysInFigures(plain: string, today: Day): Found[] {
  const at = ({ 0: all, index }: RegExpExecArray) => ({ from: index, to: index + all.length });
  const iso = Array.from(plain.matchAll(YEAR_FIRST), (match) => {
    const [, year, month, day] = match;
    return Object.assign(at(match), { days: [dayOf(Number(year), Number(month), Number(day))] });
  });
  const others = Array.from(plain.matchAll(YEAR_LAST), (match) => {
    const [, first, mark, second, year = ""] = match;
    return Object.assign(at(match), ordered(Number(first), Number(second), year, mark === "."));
  });
  const short = Array.from(plain.matchAll(WITHOUT_YEAR), (match) =>
    Object.assign(at(match), { days: [nearestDay(today, Number(match[2]), Number(match[1]))] }),
  );
  return [...iso, ...others, ...short];
}

/**
 * Determines which of two numbers is the day. With dots, the day comes first. Otherwise the number that cannot be a
 * month is the day; if both can, either may be.
 */
function ordered(first: number, second: number, year: string, isDotted: boolean): Pick<Found, "days" | "isSure"> {
  const y = year.length === 2 ? 2_000 + Number(year) : Number(year);
  if (isDotted || first > 12 || first === second) return { days: [dayOf(y, second, first)] };
  if (second > 12) return { days: [dayOf(y, first, second)] };
  return { days: [dayOf(y, first, second), dayOf(y, second, first)], isSure: false };
}

/** Returns the days that Japanese text names: in figures or numerals, by weekday, and by distance. */
export function japaneseDays(plain: string, today: Day): Found[] {
  const at = ({ 0: all, index }: RegExpExecArray) => ({ from: index, to: index + all.length });
  const number = (text = "") => japaneseNumber(text) ?? 0;
  const named = Array.from(plain.matchAll(JAPANESE), (match) => {
    const [, year, month, day] = match;
    const days = [
      year === undefined
        ? nearestDay(today, number(month), number(day))
        : dayOf(number(year), number(month), number(day)),
    ];
    return Object.assign(at(match), { days });
  });
  const relative = Array.from(plain.matchAll(JAPANESE_RELATIVE), (match) =>
    Object.assign(at(match), { days: [daysFrom(today, JAPANESE_DAYS[match[0]] ?? 0)] }),
  );
  const distant = Array.from(plain.matchAll(JAPANESE_DISTANCE), (match) => {
    const [, count, unit, side] = match;
    const days = number(count) * (unit === "日" ? 1 : 7) * (side === "後" ? 1 : -1);
    return Object.assign(at(match), { days: [daysFrom(today, days)] });
  });
  const weekdays = Array.from(plain.matchAll(JAPANESE_WEEKDAY), (match) => {
    const [, which, name = ""] = match;
    return Object.assign(at(match), japaneseWeekday(today, "月火水木金土日".indexOf(name) + 1, which));
  });
  return [...named, ...relative, ...distant, ...weekdays];
}

function japaneseWeekday(today: Day, weekday: number, which: string | undefined): Pick<Found, "days" | "isSure"> {
  const ofWeek = weekday - today.dayOfWeek;
  if (which === "来週") return { days: [today.add({ days: ofWeek + 7 })] };
  if (which === "今週") return { days: [today.add({ days: ofWeek })] };
  if (which === "先週") return { days: [today.add({ days: ofWeek - 7 })] };
  const ahead = (ofWeek + 7) % 7;
  return ahead === 0
    ? { days: [today, today.add({ days: 7 })], isSure: false }
    : { days: [today.add({ days: ahead })] };
}
