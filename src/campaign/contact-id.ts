import { MASKED } from "../kernel/mask-number.ts";

/**
 * Returns a contact's ID, computed from its campaign's ID and its row number. It is a valid UUIDv7 that needs neither a
 * column nor an index, which would be most of the table's size at a million contacts.
 */
export function contactId(campaignId: string, row: number): string {
  const hex = campaignId.replaceAll("-", "").slice(0, 24) + row.toString(16).padStart(8, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns the row of a contact ID; null if it belongs to another campaign. */
export function contactRow(campaignId: string, id: string): number | null {
  const row = Number.parseInt(id.slice(-8), 16);
  return contactId(campaignId, row) === id.toLowerCase() ? row : null;
}

/** Replaces the digits of an erased number. No phone has it, and no search by number finds it. */
export const ERASED_NUMBER = 0;

/** Returns a number as clients see it, from its digits. The digits are null if the history entry was erased. */
export function shownNumber(digits: number | null): string {
  return digits === null || digits === ERASED_NUMBER ? MASKED : `+${digits}`;
}
