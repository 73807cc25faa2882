import { Temporal } from "temporal-polyfill";

/** The maximum length of an accepted zone name. The longest name in the database has 32 characters. */
const MAX_ZONE_CHARS = 64;

/**
 * Abbreviations, and the regions that they may mean. They are refused because none identifies a region: EST is New York
 * in winter and Panama all year, and runtimes read AST as Anchorage and BST as Dhaka.
 */
const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  ACDT: ["Australia/Adelaide"],
  ACST: ["Australia/Adelaide", "Australia/Darwin"],
  ACT: ["Australia/Darwin"],
  ADT: ["America/Halifax"],
  AEDT: ["Australia/Sydney"],
  AEST: ["Australia/Sydney", "Australia/Brisbane"],
  AET: ["Australia/Sydney"],
  AGT: ["America/Argentina/Buenos_Aires"],
  AKDT: ["America/Anchorage"],
  AKST: ["America/Anchorage"],
  ART: ["Africa/Cairo", "America/Argentina/Buenos_Aires"],
  AST: ["America/Halifax", "America/Puerto_Rico"],
  AWST: ["Australia/Perth"],
  BET: ["America/Sao_Paulo"],
  BRT: ["America/Sao_Paulo"],
  BST: ["Europe/London", "Asia/Dhaka"],
  CAT: ["Africa/Maputo"],
  CDT: ["America/Chicago"],
  CEST: ["Europe/Berlin", "Europe/Paris"],
  CET: ["Europe/Berlin", "Europe/Paris", "Africa/Algiers"],
  CNT: ["America/St_Johns"],
  CST: ["America/Chicago", "America/Mexico_City", "Asia/Shanghai"],
  CTT: ["Asia/Shanghai"],
  EAT: ["Africa/Nairobi"],
  ECT: ["Europe/Paris", "America/Guayaquil"],
  EDT: ["America/New_York"],
  EEST: ["Europe/Athens", "Europe/Helsinki"],
  EET: ["Europe/Athens", "Europe/Helsinki", "Africa/Cairo"],
  EST: ["America/New_York", "America/Panama"],
  EST5EDT: ["America/New_York"],
  CST6CDT: ["America/Chicago"],
  MST7MDT: ["America/Denver"],
  PST8PDT: ["America/Los_Angeles"],
  GST: ["Asia/Dubai"],
  HKT: ["Asia/Hong_Kong"],
  HST: ["Pacific/Honolulu"],
  IET: ["America/Indiana/Indianapolis"],
  IST: ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"],
  JST: ["Asia/Tokyo"],
  KST: ["Asia/Seoul"],
  MDT: ["America/Denver"],
  MESZ: ["Europe/Berlin"],
  MET: ["Europe/Brussels"],
  MEZ: ["Europe/Berlin"],
  MIT: ["Pacific/Apia"],
  MSK: ["Europe/Moscow"],
  MST: ["America/Denver", "America/Phoenix"],
  NDT: ["America/St_Johns"],
  NET: ["Asia/Yerevan"],
  NST: ["America/St_Johns", "Pacific/Auckland"],
  NZDT: ["Pacific/Auckland"],
  NZST: ["Pacific/Auckland"],
  PDT: ["America/Los_Angeles"],
  PHT: ["Asia/Manila"],
  PKT: ["Asia/Karachi"],
  PLT: ["Asia/Karachi"],
  PNT: ["America/Phoenix"],
  PRT: ["America/Puerto_Rico"],
  PST: ["America/Los_Angeles", "Asia/Manila"],
  SAST: ["Africa/Johannesburg"],
  SGT: ["Asia/Singapore"],
  SST: ["Pacific/Pago_Pago", "Pacific/Guadalcanal"],
  VST: ["Asia/Ho_Chi_Minh"],
  WAT: ["Africa/Lagos"],
  WEST: ["Europe/Lisbon"],
  WET: ["Europe/Lisbon"],
  WIB: ["Asia/Jakarta"],
};

/** Checks whether the zone exists in the IANA time zone database. */
export function isTimeZone(zone: string): boolean {
  return zoneNamed(zone) !== null;
}

/**
 * Returns the zone's name as the database writes it; null if there is none or the name is an abbreviation. Names are
 * matched without case and normalized, because otherwise each spelling would count as a zone of its own.
 */
export function zoneNamed(name: string): string | null {
  if (name.length > MAX_ZONE_CHARS || !/[A-Za-z]/.test(name) || regionsOf(name)) return null;
  // HubSpot exports zone names in its own form, such as america_slash_new_york.
  const written = name.replaceAll(/_slash_/gi, "/");
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(written).timeZoneId;
  } catch {
    return null;
  }
}

/** Returns why a text is not a time zone, for people. The sentence continues the name of the field. */
export function whyNoZone(name: string): string {
  return whyAbbreviation(name) ?? "must be an IANA time zone such as Europe/Berlin";
}

/** Returns why an abbreviation is refused; null if the text is not one. */
export function whyAbbreviation(name: string): string | null {
  const regions = regionsOf(name);
  return regions ? `is an abbreviation, which names no region: use ${regions.join(" or ")}` : null;
}

/** Returns the regions that an abbreviation may mean; undefined if the name is not an abbreviation. */
function regionsOf(name: string): readonly string[] | undefined {
  const key = name.trim().toUpperCase();
  return Object.hasOwn(ABBREVIATIONS, key) ? ABBREVIATIONS[key] : undefined;
}
