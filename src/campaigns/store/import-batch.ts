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
