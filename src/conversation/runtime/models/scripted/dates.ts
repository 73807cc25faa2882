const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?";
const ISO = /\b(\d{4})-(\d{2})-(\d{2})(?![\d-])/;
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH},? ?(\\d{4})?(?!\\d)`);
const MONTH_FIRST = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?!\\d),? ?(\\d{4})?(?!\\d)`);
const ISO_MOMENT = /\b\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})?/i;
const CLOCK = /\b(?:at )?([01]?\d|2[0-3])(?:[:.]([0-5]\d))? ?(am|pm|a\.m\.|p\.m\.|o'clock)?(?![\d-])/g;
const DAY_MS = 86_400_000;

/** A day that is named in plain words, as YYYY-MM-DD; "tomorrow" and days without a year need to know what today is. */
export function dateIn(said: string, today: string | undefined): string | null {
  const now = today === undefined ? null : ISO.exec(today);
  const iso = ISO.exec(said);
  if (iso) return real(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const year = (given: string | undefined) => Number(given ?? now?.[1]);
  const first = DAY_FIRST.exec(said);
  if (first) return real(year(first[3]), monthOf(first[2]), Number(first[1]));
  const second = MONTH_FIRST.exec(said);
  if (second) return real(year(second[3]), monthOf(second[1]), Number(second[2]));
  if (!now) return null;
  const days = /\btomorrow\b/.test(said) ? 1 : /\btoday\b/.test(said) ? 0 : null;
  if (days === null) return null;
  const at = Date.parse(`${now[0]}T00:00:00Z`);
  return Number.isNaN(at) ? null : new Date(at + days * DAY_MS).toISOString().slice(0, 10);
}

/** A day with a time, as ISO 8601; UTC where no offset is said. */
export function momentIn(said: string, today: string | undefined): string | null {
  const iso = ISO_MOMENT.exec(said)?.[0].toUpperCase();
  if (iso !== undefined) {
    const whole = /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`;
    return Number.isNaN(Date.parse(whole)) ? null : whole;
  }
  const date = dateIn(said, today);
  if (date === null) return null;
  const rest = said.replace(ISO, " ").replace(DAY_FIRST, " ").replace(MONTH_FIRST, " ");
  for (const [whole, hour, minutes, half] of rest.matchAll(CLOCK)) {
    // A bare number is no time of day.
    if (minutes === undefined && half === undefined && !whole.startsWith("at ")) continue;
    const hours = Number(hour);
    const shift = half?.startsWith("p") && hours < 12 ? 12 : half?.startsWith("a") && hours === 12 ? -12 : 0;
    return `${date}T${String(hours + shift).padStart(2, "0")}:${minutes ?? "00"}:00Z`;
  }
  return null;
}

const monthOf = (name: string | undefined): number => MONTHS.indexOf((name ?? "").slice(0, 3)) + 1;

function real(year: number, month: number, day: number): string | null {
  const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  // The 31st of a shorter month would become another day.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? text : null;
}
