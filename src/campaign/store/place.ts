/** More lines than a file can have. */
const LINES = 2 ** 32;

/**
 * Returns the origin of an upload's row as one number that sorts by upload and line. Uploads of a campaign count from
 * 0, lines of a file from 1, the header.
 */
export function placeOf(upload: number, line: number): number {
  return upload * LINES + line;
}

export function uploadOf(place: number): number {
  return Math.floor(place / LINES);
}

export function lineOf(place: number): number {
  return place % LINES;
}
