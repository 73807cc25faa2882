/** The time zone people with this number (E.164) are in, as far as the number tells; null where it does not. */
export function zoneOfNumber(_phoneNumber: string): string | null {
  return null;
}
