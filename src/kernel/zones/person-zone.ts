import { zoneOrUtc } from "../rendering/built-in.ts";
import { zoneOfNumber } from "./number-zone.ts";

/** The sources of a person's time zone (IANA names); null or "" if unknown. */
export interface ZoneSources {
  /** The zone of the campaign's contact, from the file's column `timezone` or from the number. */
  contact?: string | null | undefined;
  campaign?: string | null | undefined;
  /** The person's phone number (E.164). */
  number?: string | null | undefined;
  agent: string | null;
  account: string | null;
}

/**
 * Returns the time zone of the person with whom an agent talks: the contact's, otherwise the campaign's, the number's,
 * the agent's or the account's, otherwise UTC. It determines which date the agent calls today.
 */
export function personZone({ contact, campaign, number, agent, account }: ZoneSources): string {
  return zoneOrUtc(contact || campaign || zoneOfCaller(number) || agent || account || "UTC");
}

/** Carriers report withheld numbers with words of their own, which this pattern rejects. */
const E164 = /^\+[1-9]\d{6,14}$/;

function zoneOfCaller(number: string | null | undefined): string | null {
  return number && E164.test(number) ? zoneOfNumber(number) : null;
}
