import type { documents } from "../../kernel/db/schema/index.ts";

/** Returns the current day in a zone; null means UTC. */
export function dayIn(zone: string | null, now: number): string {
  // The Canadian date format is that of ISO 8601.
  return new Intl.DateTimeFormat("en-CA", {
    timeZone: zone ?? "UTC",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(now);
}

/** Checks whether agents find a document on this day. */
export function isVisible(
  { effective_from, effective_until }: Pick<typeof documents.$inferSelect, "effective_from" | "effective_until">,
  day: string,
): boolean {
  return (effective_from === null || effective_from <= day) && (effective_until === null || day <= effective_until);
}
