/** A row of an upload that is a contact. */
export interface ImportedContact {
  line: number;
  phone_number: string;
  timezone: string | null;
  /** The other cells, in the order of `columns`. */
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
