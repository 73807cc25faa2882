/** More lines than a file can have. */
const LINES = 2 ** 32;

/**
 * Where a row of an upload came from, as one number that sorts by upload and line: uploads of a campaign count from 0,
 * lines of a file from 1, the header.
 */
export function placeOf(upload: number, line: number): number {
  return upload * LINES + line;
}

/** The upload of a place. */
export function uploadOf(place: number): number {
  return Math.floor(place / LINES);
}

/** The line of a place in its file. */
export function lineOf(place: number): number {
  return place % LINES;
}
