/** What a volume has stored, and how many rows it still owes to others. */
export interface LedgerSize {
  bytes: number;
  /** Rows and index entries written since its isolate began. */
  written: number;
  owed: number;
}
