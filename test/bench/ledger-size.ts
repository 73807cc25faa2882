/** The size of a volume, and the number of its undelivered rows. */
export interface LedgerSize {
  bytes: number;
  /** Rows and index entries written since its isolate began. */
  written: number;
  owed: number;
}
