import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";
import { readNumber } from "../../src/kernel/numbers/read-number.ts";
import { tenant } from "../support/client.ts";
import { append, type Campaign, upload } from "./support.ts";

const record = (campaign: Campaign) => campaign.import as unknown;

describe("national numbers in a list", () => {
  it.each([
    ["12025551017", "DE", { couldBe: "+12025551017", national: null }],
    ["4915112345678", "DE", { couldBe: "+4915112345678", national: "+494915112345678" }],
    ["447911123456", "US", { couldBe: "+447911123456", national: null }],
    ["646 555 1234", "US", { e164: "+16465551234", isNational: true, couldBe: "+6465551234" }],
    ["0301234567", "DE", { e164: "+49301234567", isNational: true }],
    ["015112345678", "DE", { e164: "+4915112345678", isNational: true }],
    ["(202) 555-0101", "US", { e164: "+12025550101", isNational: true }],
    ["1 202 555 0101", "US", { e164: "+12025550101", isNational: true }],
    ["435 555 1234", "US", { e164: "+14355551234", isNational: true, couldBe: "+4355551234" }],
    ["00 49 30 901820", "US", { e164: "+4930901820", isNational: false }],
    ["2025550101", null, { fault: "none", likely: "+12025550101", needsCountry: true }],
    ["+44 (0)20 7946 0018", null, { e164: "+442079460018", isNational: false }],
    ["0049 ( 0 ) 30 901820", "US", { e164: "+4930901820", isNational: false }],
    ["+39 (0)6 9876 5432", null, { e164: "+390698765432", isNational: false }],
    ["(0)30 901820", "DE", { e164: "+4930901820", isNational: true }],
    ["\u202a+1 (202) 555\u20110101\u202c", null, { e164: "+12025550101", isNational: false }],
    ["\u200e'202 555 0101", "US", { e164: "+12025550101", isNational: true }],
  ])("the number %s from the country %s is read as intended, or rejected", (written, country, read) => {
    expect(readNumber(written, country)).toEqual(read);
  });

  it("report the number they would be with a plus, for any country", () => {
    const country = fc.constantFrom("DE", "AT", "GB", "FR", "US", "CA", "NZ", "NO", "IT");
    // Numbers with as many digits as a number with a calling code, but without one.
    const start = fc.constantFrom("", "0", "1", "43", "44", "49", "64", "20", "47");
    const rest = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^\d{5,10}$/))
      .map((parts) => parts.join(""));
    let both = 0;
    const holds = (country: string, digits: string) => {
      const withPlus = digits.startsWith("0") ? undefined : parsePhoneNumberFromString(`+${digits}`);
      const read = readNumber(digits, country);
      const number = "e164" in read ? read.e164 : undefined;
      const other = withPlus?.isValid() && withPlus.number !== number ? withPlus.number : undefined;
      expect("couldBe" in read ? read.couldBe : undefined).toBe(other);
      if (other !== undefined) both++;
    };
    fc.assert(
      fc.property(country, start, rest, (of, from, digits) => {
        holds(of, `${from}${digits}`);
      }),
      { numRuns: 1_000 },
    );
    expect(both).toBeGreaterThan(50);
  });

  it("assumed numbers are listed in the import record, and ambiguous ones are not dialed", async () => {
    const { server } = await tenant();
    const options = { default_country: "DE", on_invalid: "skip" };
    const list = "phone_number\n030 1234567\n+12025550110\n12025551017\n0301234568\n";
    const created = await upload(server, list, options);
    const path = `/api/v1/campaigns/${created.body.id}`;
    const first = { written: "030 1234567", phone_number: "+49301234567", could_be: null };
    const second = { written: "0301234568", phone_number: "+49301234568", could_be: null };
    expect(record(created.body)).toEqual({
      accepted: 3,
      rejected: 1,
      duplicates: 0,
      assumed: [{ country: "DE", count: 2, also_valid: 0, examples: [first, second] }],
    });
    expect((await server.get<string>(`${path}/rejects`)).body).toContain("could be +12025551017: write it with its");
    await append(server, path, "phone_number\n2025550199\n2125550199\n2135550199\n6465551234\n", {
      default_country: "US",
    });
    await append(server, path, "phone_number\n0301234569\n0301234561\n", { default_country: "DE" });
    expect(record((await server.get<Campaign>(path)).body)).toMatchObject({
      assumed: [
        { country: "DE", count: 4, examples: [first, second, { phone_number: "+49301234569" }] },
        {
          country: "US",
          count: 4,
          also_valid: 1,
          // Ambiguous numbers come first.
          examples: [
            { written: "6465551234", phone_number: "+16465551234", could_be: "+6465551234" },
            { written: "2025550199", phone_number: "+12025550199", could_be: null },
            { written: "2125550199" },
          ],
        },
      ],
    });
  });
});
