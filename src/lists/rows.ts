export interface ImportedContact {
  line: number;
  phone_number: string;
  /** The number as it is written in the file, if that is not E.164. */
  written?: string;
  /** The number that it would be with a plus, if it was read as national and that number is also valid. */
  couldBe?: string;
  timezone: string | null;
  /** The cells of the other columns, in order. */
  variables: string[];
}

export interface RejectedRow {
  line: number;
  reason: string;
  /** The row as it was sent: the cells of the used columns, and surplus cells. */
  row: string[];
  /** The two possible numbers, if it is unclear which one is meant: with a plus, and as a national number. */
  either?: { couldBe: string; national: string | null };
  /** Whether the number has no country code, so that it may be valid with a default country. */
  national: boolean;
}

/** The rows in a chunk of an upload. */
export interface ImportBatch {
  contacts: ImportedContact[];
  rejects: RejectedRow[];
}

/** How many rows of an upload became contacts, are invalid, or repeat a number. */
export interface ImportCounts {
  accepted: number;
  rejected: number;
  duplicates: number;
}

/** The columns of an upload. Its skipped rows are exported with these columns. */
export interface UploadHeader {
  /** The names of all columns, in the order of the file. */
  names: string[];
  /** The position of the phone column. */
  phone: number;
  /** The highest number of surplus cells in a skipped row. */
  extra: number;
}

/** Numbers without a country code that were read as numbers of one country. */
export interface AssumedNumbers {
  country: string;
  count: number;
  /** How many of them would also be valid numbers of another country with a plus. */
  also_valid: number;
  /** A few of them. Those that would also be valid with a plus come first. */
  examples: AssumedNumber[];
}

/**
 * A number that was read as a number of the country, and the number that it would be with a plus, if that is also
 * valid.
 */
export interface AssumedNumber {
  written: string;
  phone_number: string;
  could_be: string | null;
}

export const MOST_EXAMPLES = 3;

/** Parses the stored assumptions of a campaign's uploads. */
export const recordedAssumptions = (json: string | null): AssumedNumbers[] => JSON.parse(json ?? "[]");

/** Merges the assumptions of another upload into those of earlier ones. */
export function withAssumed(before: AssumedNumbers[], more: AssumedNumbers | null): AssumedNumbers[] {
  if (more === null) return before;
  const existing = before.find(({ country }) => country === more.country);
  if (!existing) return [...before, more];
  const count = existing.count + more.count;
  const also_valid = existing.also_valid + more.also_valid;
  const examples = firstExamples([...existing.examples, ...more.examples]);
  const both: AssumedNumbers = { country: existing.country, count, also_valid, examples };
  return before.map((each) => (each === existing ? both : each));
}

/** Returns the examples to show. Those that could be numbers of another country come first. */
export function firstExamples(examples: AssumedNumber[]): AssumedNumber[] {
  const isClear = ({ could_be }: AssumedNumber) => Number(could_be === null);
  return examples.toSorted((a, b) => isClear(a) - isClear(b)).slice(0, MOST_EXAMPLES);
}
