/** A row of an upload that becomes a contact. */
export interface ImportedContact {
  line: number;
  phone_number: string;
  /** Its cell, if it differs from the number. */
  written?: string;
  /** What its number would be with a plus, if it was read as national and that would be valid too. */
  couldBe?: string;
  timezone: string | null;
  /** The cells of the other columns of the file, in their order. */
  variables: string[];
}

/** A rejected row, and why. */
export interface RejectedRow {
  line: number;
  reason: string;
  /** The row as it was sent: the cells of the used columns, and surplus cells. */
  row: string[];
  /** Its two possible numbers, if it is unclear which is meant: with a plus, and as a national one. */
  either?: { couldBe: string; national: string | null };
  /** Whether its number has no country code: with a default country it may be valid. */
  national: boolean;
}

/** The rows of a chunk of an upload. */
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

/** The columns of an upload, under which its skipped rows are exported. */
export interface UploadHeader {
  /** The names of all columns, in the order of the file. */
  names: string[];
  /** Which of them has the numbers. */
  phone: number;
  /** The most surplus cells of a skipped row. */
  extra: number;
}

/** Numbers without a country code that were read as one country's. */
export interface AssumedNumbers {
  country: string;
  count: number;
  /** How many of them would be valid numbers of another country with a plus. */
  also_valid: number;
  /** The first of them, those first that would be. */
  examples: AssumedNumber[];
}

/** A number read as a country's, and what it would be with a plus, if that is valid too. */
export interface AssumedNumber {
  written: string;
  phone_number: string;
  could_be: string | null;
}

/** Most examples for each country. */
export const MOST_EXAMPLES = 3;

/** The assumptions of a campaign's uploads, as it stores them. */
export const recordedAssumptions = (json: string | null): AssumedNumbers[] => JSON.parse(json ?? "[]");

/** The assumptions of several uploads, merged with those of one more. */
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

/** The examples that are shown: those that could be another country's first. */
export function firstExamples(examples: AssumedNumber[]): AssumedNumber[] {
  const isClear = ({ could_be }: AssumedNumber) => Number(could_be === null);
  return examples.toSorted((a, b) => isClear(a) - isClear(b)).slice(0, MOST_EXAMPLES);
}
