/** The maximum number of columns of a list, including the column of numbers. */
export const MAX_COLUMNS = 200;
/** The maximum number of columns of a file, including ignored ones and those added to a list of skipped rows. */
export const MAX_FILE_COLUMNS = 1_000;
/** The maximum length of a row, characters. Longer rows don't belong to a contact list. */
export const MAX_ROW_CHARS = 65_536;

/** Columns that the service adds to a list of skipped rows. They are ignored when the list is uploaded again. */
export const ADDED = {
  line: "_line",
  reason: "_reason",
  firstLine: "_first_line",
  upload: "_upload",
  firstUpload: "_first_upload",
} as const;
/** Returns the name of the n-th column for a row's surplus cells, counted from 1. */
export const extraColumn = (n: number) => `_extra_${n}`;

/** Returns the key by which columns are compared. `First Name` and `first-name` have the same key. */
export function columnKey(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, "_");
}

/**
 * The names of the time zone column that are accepted if no column is called `timezone`. The last one is Salesforce's.
 */
const LIKE_TIMEZONE = ["time_zone", "tz", "timezonesidkey"];

/** Returns the columns that may contain contacts' time zones: `timezone`, otherwise all columns with a similar name. */
export function zoneColumns(names: readonly string[]): number[] {
  const keys = names.map(columnKey);
  const exact = keys.indexOf("timezone");
  if (exact !== -1) return [exact];
  return keys.flatMap((key, i) => (LIKE_TIMEZONE.includes(key) ? [i] : []));
}

/** Returns whether a column belongs to the list's owner, or was added by the service to a list of skipped rows. */
export function columnRole(name: string): "own" | "added" | "extra" {
  const key = columnKey(name);
  if (/^_extra_\d+$/.test(key)) return "extra";
  return Object.values(ADDED).some((added) => added === key) ? "added" : "own";
}

/** Checks whether a file with these columns is a list of skipped rows that the service exported. */
export function isOfSkippedRows(names: string[]): boolean {
  const keys = names.map((name) => columnKey(name.trim()));
  return keys.includes(ADDED.line) && (keys.includes(ADDED.reason) || keys.includes(ADDED.firstLine));
}
