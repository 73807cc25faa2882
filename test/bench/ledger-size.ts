/** The size of a volume, and the number of rows it still owes. */
export interface LedgerSize {
  bytes: number;
  /** Rows and index entries written since its isolate began. */
  written: number;
  owed: number;
}
