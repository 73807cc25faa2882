/**
 * A contact's id is made of its campaign's and its row: a valid UUIDv7 that needs no column and no index of its own,
 * which at a million contacts is most of a table.
 */
export function contactId(campaignId: string, row: number): string {
  const hex = campaignId.replaceAll("-", "").slice(0, 24) + row.toString(16).padStart(8, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The row of a contact id, null when it is none of this campaign's. */
export function contactRow(campaignId: string, id: string): number | null {
  const row = Number.parseInt(id.slice(-8), 16);
  return contactId(campaignId, row) === id.toLowerCase() ? row : null;
}
