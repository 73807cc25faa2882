import { type FieldError, invalidField } from "../../kernel/http/errors.ts";
import { DAY_MS } from "../../kernel/time.ts";

export const DEFAULT_DAYS = 30;
/** The longest window in days: a leap year. */
export const MAX_DAYS = 366;

/** A range of days (UTC, `2026-11-23`): the first day, and the day after the last. */
export interface UsageWindow {
  from: string;
  to: string;
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the requested window, by default ending today, or the invalid field. @param now ms */
function usageWindow(
  requested: { from?: string | undefined; to?: string | undefined },
  now: number,
): UsageWindow | FieldError {
  const to = requested.to ?? dayOf(now + DAY_MS);
  const from = requested.from ?? dayOf(Date.parse(to) - DEFAULT_DAYS * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days <= 0) {
    const field = requested.to === undefined ? "from" : "to";
    return {
      field,
      code: "invalid",
      message: "`to` must be after `from`, because the day `to` itself is not included",
    };
  }
  if (days > MAX_DAYS)
    return { field: "from", code: "too_long", message: `must not be more than ${MAX_DAYS} days before \`to\`` };
  return { from, to };
}

/** Returns the requested window. @throws ApiError 400 */
export function requestedWindow(requested: Parameters<typeof usageWindow>[0], now: number): UsageWindow {
  const window = usageWindow(requested, now);
  if ("code" in window) throw invalidField(window.field, window.code, window.message);
  return window;
}

/** Splits the window into consecutive pieces of at most `days` days. */
export function piecesOf({ from, to }: UsageWindow, days: number): UsageWindow[] {
  const pieces: UsageWindow[] = [];
  for (let at = from; at < to; at = dayOf(Date.parse(at) + days * DAY_MS)) {
    const end = dayOf(Date.parse(at) + days * DAY_MS);
    pieces.push({ from: at, to: end < to ? end : to });
  }
  return pieces;
}
