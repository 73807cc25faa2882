/** A row of an upload that is a contact. */
export interface ImportedContact {
  line: number;
  phone_number: string;
  /** Its cell, where that is not just the number. */
  written?: string;
  /** What its number would be with a plus, where it was read as a national one and that would be valid too. */
  couldBe?: string;
  timezone: string | null;
  /** The cells of the other columns of the file, in their order. */
  variables: string[];
}

/** A row that is no contact, and why. */
export interface RejectedRow {
  line: number;
  reason: string;
  /** The row as it was sent: the cells of the columns that are used, and those that it has too many. */
  row: string[];
  /** The two numbers it may have, where nothing tells which is meant: with a plus, and as a national one. */
  either?: { couldBe: string; national: string | null };
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
  /** How many of them would be valid numbers of another country with a plus. */
  also_valid: number;
  /** The first of them, those first that would be. */
  examples: AssumedNumber[];
}

/** A number that was read as a country's, and what it would be with a plus, where that is valid too. */
export interface AssumedNumber {
  written: string;
  phone_number: string;
  could_be: string | null;
}

/** Most examples for each country. */
export const MOST_EXAMPLES = 3;

/** What a campaign has on record of its uploads' assumptions; records once said nothing of other readings. */
export function recordedAssumptions(json: string | null): AssumedNumbers[] {
  const recorded: Recorded[] = JSON.parse(json ?? "[]");
  return recorded.map(({ country, count, also_valid = 0, examples }) => ({
    country,
    count,
    also_valid,
    examples: examples.map(({ written, phone_number, could_be = null }) => ({ written, phone_number, could_be })),
  }));
}

interface Recorded {
  country: string;
  count: number;
  also_valid?: number;
  examples: { written: string; phone_number: string; could_be?: string | null }[];
}

/** What several uploads assumed, with what one more did. */
export function withAssumed(before: AssumedNumbers[], more: AssumedNumbers | null): AssumedNumbers[] {
  if (more === null) return before;
  const known = before.find(({ country }) => country === more.country);
  if (!known) return [...before, more];
  const count = known.count + more.count;
  const also_valid = known.also_valid + more.also_valid;
  const examples = firstExamples([...known.examples, ...more.examples]);
  const both: AssumedNumbers = { country: known.country, count, also_valid, examples };
  return before.map((each) => (each === known ? both : each));
}

/** The examples that are shown: those that could be another country's first. */
export function firstExamples(examples: AssumedNumber[]): AssumedNumber[] {
  const isClear = ({ could_be }: AssumedNumber) => Number(could_be === null);
  return examples.toSorted((a, b) => isClear(a) - isClear(b)).slice(0, MOST_EXAMPLES);
}
