import { zoneOrUtc } from "../rendering/built-in.ts";
import { zoneOfNumber } from "./number-zone.ts";

/** What may tell a person's time zone; null or "" where it is unknown. Zones are IANA names. */
export interface ZoneSources {
  /** That of the campaign's contact: the column `timezone` of its file, or that of its number. */
  contact?: string | null | undefined;
  /** The campaign's, if one was chosen. */
  campaign?: string | null | undefined;
  /** The person's phone number (E.164). */
  number?: string | null | undefined;
  agent: string | null;
  account: string | null;
}

/**
 * Returns the time zone of the person that an agent talks to: the contact's, else the campaign's, else that of their
 * number, else the agent's, else the account's, else UTC. It decides what their agent calls today.
 */
export function personZone({ contact, campaign, number, agent, account }: ZoneSources): string {
  return zoneOrUtc(contact || campaign || zoneOfCaller(number) || agent || account || "UTC");
}

/** Carriers report callers who withhold their number in words of their own. */
const E164 = /^\+[1-9]\d{6,14}$/;

function zoneOfCaller(number: string | null | undefined): string | null {
  return number && E164.test(number) ? zoneOfNumber(number) : null;
}
