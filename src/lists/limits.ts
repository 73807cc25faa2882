/** Most contacts of a campaign. */
export const MAX_CONTACTS = 1_000_000;
/** Most bytes of a list of contacts: as many as the platform lets through in a body. */
export const MAX_FILE_BYTES = 100_000_000;
/** Most bytes of the rows that are changed with a list, as JSON. */
export const MAX_ROWS_BYTES = 1_000_000;
