import { type CountryCode, Metadata, type MetadataJson } from "libphonenumber-js/min";

/**
 * The countries of each calling code, the main one first. The library orders them so for its own use, and its types
 * leave out that an instance holds the data.
 */
export const COUNTRIES_BY_CODE: Record<string, CountryCode[]> = (
  new Metadata() as unknown as { metadata: MetadataJson }
).metadata.country_calling_codes;
