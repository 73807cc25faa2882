import { newCampaign } from "../../../texts/index.ts";
import { groupedNumber } from "../../../ui/phone-number.ts";

const { reasons: t } = newCampaign.rows;

const MISQUOTED = /^a quoted field is malformed$/;

/** Matches a reason about a number, with the number that was probably meant. */
function ofNumber(fault: string): RegExp {
  return new RegExp(`^phone_number "(.*)" ${fault}(?:: did you mean (\\+[^?]+)\\?)?$`, "s");
}

/** Patterns of the service's reasons for rejecting a row, with the console's texts. */
const REASONS: [RegExp, (...parts: string[]) => string][] = [
  [
    /^phone_number "(.*)" could be (\+\d+(?: or \+\d+)?): /s,
    (written = "", numbers = "") => t.couldBe(written, numbers.split(" or ").map(groupedNumber)),
  ],
  [/^phone_number is empty$/, () => t.empty],
  [ofNumber("is not a phone number with its country code"), (written = "", likely = "") => t.national(written, likely)],
  [ofNumber("is not a phone number"), (written = "", likely = "") => t.none(written, likely)],
  [ofNumber("has an extension, which cannot be called"), (written = "", likely = "") => t.extension(written, likely)],
  [ofNumber("has several numbers; keep one"), (written = "") => t.several(written)],
  [
    ofNumber("is in scientific notation, which lost digits; format the column as text"),
    (written = "") => t.digitsLost(written),
  ],
  [/^timezone "(.*)" is unknown$/s, (written = "") => t.zone(written)],
  [
    /^timezone "(.*)" is an abbreviation, .*: use (.*)$/s,
    (written = "", zones = "") => t.zoneAbbreviated(written, zones),
  ],
  [/^has (\d+) fields, but the header has (\d+)$/, (has = "", header = "") => t.fields(has, header)],
  [MISQUOTED, () => t.quotes],
];

/** Returns the console's text for the reason why a row is rejected. */
export function reasonInWords(reason: string): string {
  for (const [pattern, words] of REASONS) {
    const found = pattern.exec(reason);
    if (found) return words(...found.slice(1));
  }
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** Checks whether a row is rejected because of its quotes. */
export function isMisquoted(reason: string): boolean {
  return MISQUOTED.test(reason);
}
