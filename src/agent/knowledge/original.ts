/** The key of a document's original. */
export const originalKey = (account: string, id: string): string => `${account}/${id}`;
