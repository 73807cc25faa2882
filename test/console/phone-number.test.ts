import { describe, expect, it } from "vitest";
import { groupedNumber } from "../../src/browser/console/ui/phone-number.ts";
import { callingCodes } from "../../src/kernel/numbers/calling-codes.ts";

describe("a displayed phone number", () => {
  it.each([
    ["+12025550100", "+1 202 555 0100"],
    ["+442079460018", "+44 207 946 0018"],
    ["+4915123456789", "+49 151 234 567 89"],
    ["+33612345678", "+33 612 345 678"],
    ["+2901234", "+290 1234"],
  ])("a phone number is grouped: %s as %s", (e164, grouped) => {
    expect(groupedNumber(e164)).toBe(grouped);
  });

  it.each(callingCodes())("a phone number is grouped after its calling code, +%s", (code) => {
    expect(groupedNumber(`+${code}234567`)).toBe(`+${code} 234 567`);
  });

  it.each(["•••0143", "client:alice", "", "911"])(
    "a phone number that is not in E.164 is shown unchanged: %j",
    (written) => {
      expect(groupedNumber(written)).toBe(written);
    },
  );
});
