/** Returns the R2 key of a conversation that has ended. */
export function archiveKey(account: string, id: string): string {
  return `${account}/${id}.json`;
}

export function audioKey(account: string, id: string): string {
  return `${account}/${id}`;
}
