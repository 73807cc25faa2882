/** The maximum number of contacts of a campaign. */
export const MAX_CONTACTS = 1_000_000;
/** The largest list of contacts, bytes; the platform accepts no larger body. */
export const MAX_FILE_BYTES = 100_000_000;
/** The largest size of the rows that are changed with a list, as JSON, bytes. */
export const MAX_ROWS_BYTES = 1_000_000;
