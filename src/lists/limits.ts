/** The maximum number of contacts of a campaign. */
export const MAX_CONTACTS = 1_000_000;
/** The maximum size of a list of contacts, bytes. The platform accepts no larger body. */
export const MAX_FILE_BYTES = 100_000_000;
/** The maximum size of the row changes that are sent with a list, as JSON, bytes. */
export const MAX_ROWS_BYTES = 1_000_000;
