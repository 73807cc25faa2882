/** More lines than a file can have. */
const LINES = 2 ** 32;

/**
 * Returns the origin of an upload's row as one number that sorts by upload and line. Uploads of a campaign count from
 * 0, lines of a file from 1, the header.
 */
export function positionOf(upload: number, line: number): number {
  return upload * LINES + line;
}

export function uploadOf(position: number): number {
  return Math.floor(position / LINES);
}

export function lineOf(position: number): number {
  return position % LINES;
}
