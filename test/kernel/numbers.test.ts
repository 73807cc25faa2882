import { env } from "cloudflare:workers";
import fc from "fast-check";
import examples from "libphonenumber-js/examples.mobile.json";
import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";
import { callingCodes } from "../../src/kernel/numbers/calling-codes.ts";
import { canonicalNumber, readNumber, reportedNumber } from "../../src/kernel/numbers/read-number.ts";
import { spellingsOf } from "../../src/kernel/numbers/spellings.ts";
import { isValidAsWritten } from "../../src/kernel/numbers/written-as-stored.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED), numRuns: 2_000 };

/** Numbers near the countries' example numbers. */
const nearExamples = fc
  .tuple(fc.constantFrom(...getCountries()), fc.array(fc.tuple(fc.nat(6), fc.nat(9)), { maxLength: 5 }))
  .map(([country, changes]) => {
    const digits = [...exampleOf(country)];
    for (const [place, digit] of changes) digits[digits.length - 1 - place] = String(digit);
    return digits.join("");
  });
const anyDigits = fc
  .tuple(fc.constantFrom(...callingCodes()), fc.stringMatching(/^\d{4,12}$/))
  .map(([code, rest]) => `+${code}${rest}`);

function exampleOf(country: CountryCode): string {
  return getExampleNumber(country, examples)?.number ?? "+12025550100";
}

describe("a number in stored form", () => {
  it("a stored number is valid exactly if the library says so", () => {
    let judged = 0;
    fc.assert(
      fc.property(fc.oneof(nearExamples, anyDigits), (text) => {
        const isValid = isValidAsWritten(text);
        if (isValid === null) return;
        judged++;
        const parsed = parsePhoneNumberFromString(text);
        expect(isValid).toBe(parsed?.isValid() === true);
        if (isValid) expect(parsed?.number).toBe(text);
      }),
      property,
    );
    expect(judged).toBeGreaterThan(1_000);
  });

  it("a stored number is the canonical form of itself and of each readable spelling", () => {
    fc.assert(
      fc.property(nearExamples, (text) => {
        const number = canonicalNumber(text);
        if (number === null) return;
        expect(canonicalNumber(number)).toBe(number);
        for (const spelling of spellingsOf(number)) expect([number, null]).toContain(canonicalNumber(spelling));
      }),
      property,
    );
  });

  it("has the spellings under which it may have been stored earlier", () => {
    expect(spellingsOf("+447911123456")).toEqual(["+447911123456", "+4407911123456"]);
    expect(spellingsOf("+525512345678")).toContain("+5215512345678");
    expect(spellingsOf("+5491112345678")).toContain("+54111512345678");
    expect(spellingsOf("+80012345678")).toEqual(["+80012345678"]);
  });
});

describe("a text", () => {
  it("never becomes a number with digits that it does not contain", () => {
    const piece = fc.constantFrom(
      "+",
      "0",
      "00",
      "1",
      "44",
      "49",
      "7911",
      "123456",
      "2025550143",
      ".0",
      "/",
      " ",
      "-",
      "(0)",
      "x1",
      ";",
      "E+09",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 7 }),
        fc.constantFrom(null, "US", "GB", "DE", "IN"),
        (pieces, country) => {
          const read = readNumber(pieces.join(""), country);
          if (!("e164" in read)) return;
          expect(parsePhoneNumberFromString(read.e164)?.isValid()).toBe(true);
          const national = parsePhoneNumberFromString(read.e164)?.nationalNumber ?? "";
          if (!pieces.includes("E+09")) expect(pieces.join("").replace(/\D/g, "")).toContain(national);
        },
      ),
      property,
    );
  });

  it.each([
    ["9876543210.0", "IN", "+919876543210"],
    ["9876543210,00", "IN", "+919876543210"],
    ["9.87654321E+09", "IN", "+919876543210"],
    ["9,87654321E9", "IN", "+919876543210"],
    ["14065880.0", "AT", "+4314065880"],
    ["+447911123456.00", null, "+447911123456"],
    ["1.2025550111E10", "US", "+12025550111"],
    ["030/1234567", "DE", "+49301234567"],
    ["+49 30 1234567-21", null, "+4930123456721"],
    ["011 44 7911 123456", "US", "+447911123456"],
    ["+\u0661\u0662\u0660\u0662\u0665\u0665\u0665\u0660\u0661\u0662\u0669", null, "+12025550129"],
    ['="+12025550112"', null, "+12025550112"],
    ["whatsapp:+12025550113", null, "+12025550113"],
  ])("the text %s from the country %s is read as %s", (written, country, e164) => {
    expect(readNumber(written, country)).toMatchObject({ e164 });
  });

  it.each([
    ["+1 202 555 0115/16", null, "several"],
    ["030 1234567/68", "DE", "several"],
    ["030 123456 / 0151 2345678", "DE", "several"],
    ["+12025550121, +12025550122", null, "several"],
    ["+12025550111 ::: +12025550112", null, "several"],
    ["202 555 0113 or 0114", "US", "several"],
    ["2025550112.1", "US", "several"],
    ["+1 (202) 555-0119 x12", null, "extension"],
    ["+12025550126;ext=3", null, "extension"],
    ["4,91512E+11", "DE", "digits_lost"],
    ["4.479E11", "GB", "digits_lost"],
    ["12500", "DE", "none"],
    ["2500000", "DE", "none"],
    ["-2025550112", "US", "none"],
    ["#NAME?", "US", "none"],
    ["1/".repeat(50), "DE", "several"],
    ["1".repeat(100_000), "DE", "none"],
  ])("the text %.40s from the country %s is not a number: %s", (written, country, fault) => {
    expect(readNumber(written, country)).toMatchObject({ fault });
  });
});

it("a number that a carrier reports is canonical if it is valid, and otherwise unchanged", () => {
  expect(reportedNumber("+4407911123456")).toBe("+447911123456");
  expect(reportedNumber("+5215512345678")).toBe("+525512345678");
  for (const other of ["+15550001111", "client:alice", "anonymous", "", "911"])
    expect(reportedNumber(other)).toBe(other);
});
