export const originalKey = (account: string, id: string): string => `${account}/${id}`;
