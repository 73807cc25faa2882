/** What people write between the digits of a phone number. */
const BETWEEN = /[\s().\-/]/g;
const E164 = /^\+[1-9]\d{6,14}$/;

/** A phone number as it is dialled, however it is grouped: "+1 (202) 555-0143" → "+12025550143". */
export function asDialled(written: string): string {
  return written.replace(BETWEEN, "");
}

/** Whether it is a number with its country, as the API takes it. */
export function isE164(number: string): boolean {
  return E164.test(number);
}
