import type { AssumedNumber, AssumedNumbers } from "../../../../../lists/rows.ts";
import { LANGUAGE } from "../../../texts/format.ts";
import { newCampaign } from "../../../texts/index.ts";
import { groupedNumber } from "../../../ui/phone-number.ts";

const t = newCampaign.rows;
const countryNames = new Intl.DisplayNames(LANGUAGE, { type: "region" });

export const countryName = (code: string) => (code === "" ? code : (countryNames.of(code) ?? code));

/**
 * Returns a sentence that says which numbers were read as national, with examples, and how many could belong to another
 * country.
 */
export function assumedInWords({ country, count, also_valid, examples }: AssumedNumbers): string {
  const words = t.assumed(count, countryName(country), examples.map(exampleInWords).join(", "));
  return also_valid > 0 ? `${words} ${t.alsoValid(also_valid)}` : words;
}

const exampleInWords = ({ written, phone_number, could_be }: AssumedNumber) =>
  t.example(written, groupedNumber(phone_number), could_be === null ? undefined : groupedNumber(could_be));
