/** A row of an upload that is a contact. */
export interface ImportedContact {
  line: number;
  phone_number: string;
  /** Its cell, where that is not just the number. */
  written?: string;
  timezone: string | null;
  /** The cells of the other columns of the file, in their order. */
  variables: string[];
}

/** A row that is no contact, and why. */
export interface RejectedRow {
  line: number;
  reason: string;
  /** The row as it was in the file. */
  row: string[];
  /** What its number would be with a plus, where it cannot be told from a national one. */
  couldBe?: string;
  /** Its number has no country code: with a default country it may yet be good. */
  national: boolean;
}

/** What a piece of an upload holds. */
export interface ImportBatch {
  contacts: ImportedContact[];
  rejects: RejectedRow[];
}

/** How many rows of an upload became contacts, how many are no contacts, and how many have a number that came before. */
export interface ImportCounts {
  accepted: number;
  rejected: number;
  duplicates: number;
}

/** The columns of an upload, by which its skipped rows are handed back. */
export interface UploadHeader {
  /** The names of all columns, in the order of the file. */
  names: string[];
  /** Which of them has the numbers. */
  phone: number;
  /** The most cells that a skipped row has beyond them. */
  extra: number;
}

/** Numbers without a country code that were read as one country's. */
export interface AssumedNumbers {
  country: string;
  count: number;
  /** The first of them. */
  examples: { written: string; phone_number: string }[];
}

/** Most examples for each country. */
export const MOST_EXAMPLES = 3;

/** What several uploads assumed, with what one more did. */
export function withAssumed(before: AssumedNumbers[], more: AssumedNumbers | null): AssumedNumbers[] {
  if (more === null) return before;
  const known = before.find(({ country }) => country === more.country);
  if (!known) return [...before, more];
  const examples = [...known.examples, ...more.examples].slice(0, MOST_EXAMPLES);
  const both = { country: known.country, count: known.count + more.count, examples };
  return before.map((each) => (each === known ? both : each));
}
