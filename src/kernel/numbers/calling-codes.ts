import { type CountryCode, Metadata, type MetadataJson } from "libphonenumber-js/max";

/** The parts of the library's metadata that are missing in its types. */
interface NumberingPlan {
  nationalNumberPattern(): string;
  nationalPrefix(): string | undefined;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

interface FullMetadata {
  metadata: MetadataJson;
  numberingPlan: NumberingPlan;
  selectNumberingPlan(country: string): void;
}

const library = new Metadata() as unknown as FullMetadata;

/** The countries of each calling code; the main country comes first. */
export const COUNTRIES_BY_CODE: Record<string, CountryCode[]> = library.metadata.country_calling_codes;

/**
 * Returns the calling code at the start of a number's digits; null if there is none. No code is a prefix of another.
 */
export function callingCodeOf(digits: string): string | null {
  for (let length = 1; length <= 3; length++) {
    const code = digits.slice(0, length);
    if (Object.hasOwn(COUNTRIES_BY_CODE, code)) return code;
  }
  return null;
}

/** Returns the numbering plan of a country, or of the main country of a calling code. */
export function numberingPlan(countryOrCode: string): NumberingPlan {
  library.selectNumberingPlan(countryOrCode);
  return library.numberingPlan;
}

/** Returns every calling code, including those without a country, such as 800. */
export const callingCodes = (): string[] =>
  [COUNTRIES_BY_CODE, library.metadata.nonGeographic].flatMap((codes) => Object.keys(codes));
