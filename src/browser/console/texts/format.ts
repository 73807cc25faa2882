/** The language in which numbers, times and durations are formatted. They use the user's time zone. */
export const LANGUAGE = "en";

const number = new Intl.NumberFormat(LANGUAGE);
const percent = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat(LANGUAGE, { notation: "compact", maximumFractionDigits: 1 });
const dollars = (most: number) =>
  new Intl.NumberFormat(LANGUAGE, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: most,
  });
const cents = dollars(2);
const fractions = dollars(4);
const micros = dollars(6);
const plurals = new Intl.PluralRules(LANGUAGE);
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "long" });
const day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium" });
const dayOfYear = new Intl.DateTimeFormat(LANGUAGE, { month: "short", day: "numeric" });
const weekday = new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", month: "short", day: "numeric" });
const clock = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "short" });
const clockSeconds = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "medium" });

/** Formats 1204 as "1,204". */
export const formatNumber = (value: number): string => number.format(value);
/** Formats 1204 as "1.2K". */
export const formatCompact = (value: number): string => compact.format(value);

const MICROS = 1_000_000;

/** The smallest amount that `formatMoney` shows, in millionths of a dollar. */
const LEAST_MONEY = 100;

/**
 * Formats millionths of a dollar to the cent, below a dollar to a hundredth of a cent: 1234567 → "$1.23", 3560 →
 * "$0.0036", 7 → "<$0.0001".
 */
export function formatMoney(amount: number): string {
  if (amount > 0 && amount < LEAST_MONEY / 2) return `<${fractions.format(LEAST_MONEY / MICROS)}`;
  return (amount < MICROS ? fractions : cents).format(amount / MICROS);
}
/** Formats millionths of a dollar with all digits: 3560 → "$0.00356". */
export const formatMoneyExact = (amount: number): string => micros.format(amount / MICROS);
/** Formats 262.483 as "262.48". */
export const formatMinutes = (minutes: number): string => number.format(Math.round(minutes * 100) / 100);
/** Formats 0.423 as "42.3%". */
export const formatShare = (share: number): string => percent.format(share);
/** Formats 2, "contact", "contacts" as "2 contacts". */
export const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${plurals.select(count) === "one" ? one : many}`;
/** Formats a time with seconds and the zone. */
export const formatExact = (at: string | number): string => exact.format(new Date(at));
export const formatDay = (at: string | number): string => day.format(new Date(at));
/** Formats a day as "Nov 22", without the year. */
export const formatDayOfYear = (at: string | number): string => dayOfYear.format(new Date(at));
export const formatWeekday = (at: string | number): string => weekday.format(new Date(at));
/** Formats a time as "9:30:05 AM". */
export const formatClockSeconds = (at: string | number): string => clockSeconds.format(new Date(at));
export const formatClock = (at: string | number): string => clock.format(new Date(at));

/** Words with a special spelling. */
const SPELLED = new Map([
  ["api", "API"],
  ["crm", "CRM"],
  ["ecommerce", "e-commerce"],
  ["faq", "FAQ"],
  ["id", "ID"],
  ["sms", "SMS"],
  ["url", "URL"],
]);

/** Formats an identifier as text: "customer_support" → "Customer support". */
export function formatName(name: string): string {
  const words = name.split("_").map((word) => SPELLED.get(word) ?? word);
  const text = words.join(" ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Makes a sentence of a fragment from the service: "the key works" → "The key works." */
export function formatSentence(words: string): string {
  const end = words === "" || /[.!?…]$/.test(words) ? "" : ".";
  return words.charAt(0).toUpperCase() + words.slice(1) + end;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
/** Number of days after which a date is shown instead of a relative time. */
const DISTANT_DAYS = 7;

/** Formats a future time relative to now. The user's clock may be slightly ahead of it. */
export function formatAhead(at: string | number, now: number): string {
  return new Date(at).getTime() - now < 60_000 ? "in less than a minute" : formatRelative(at, now);
}

/** Formats a time relative to now: "3 min. ago", "in 2 hr.", after a week the date. `now` is in ms. */
export function formatRelative(at: string | number, now: number): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  if (Math.abs(seconds) >= DISTANT_DAYS * 86_400) return formatDay(at);
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  return relative.format(0, "second");
}

/** Formats 75 s as "1:15", and 3675 s as "1:01:15". */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const padded = (value: number) => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${padded(m)}:${padded(s)}` : `${m}:${padded(s)}`;
}

const SIZES = ["B", "KB", "MB", "GB"];

/** Formats 1500 as "1.5 KB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${number.format(Math.round((bytes / 1000 ** power) * 10) / 10)} ${SIZES[power]}`;
}
