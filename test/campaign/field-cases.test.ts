import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";
import { ContactsCsv } from "../../src/lists/contacts-csv.ts";

/** Small lists, rebuilt from public bug reports. Numbers and names are invented. */
const FILES = import.meta.glob<string>("./field-cases/*.csv", { query: "?raw", import: "default", eager: true });

/** The expected reading of each file's rows, in order: the number, or a part of the reason for the rejection. */
const CASES: Record<string, { country?: string; rows: string[] }> = {
  "01-float-ae": { country: "AE", rows: ["+971501234567", "+971501234567"] },
  "01-float-at": { country: "AT", rows: ["+436641234567", "+436641234567", "+4314065880"] },
  "01-float-br": { country: "BR", rows: ["+5511987654321", "+5511987654321", "+551133334444"] },
  "01-float-de": {
    country: "DE",
    rows: ["could be", "could be", "+491701234567", "+493012345678", "is not a phone number"],
  },
  "01-float-fr": { country: "FR", rows: ["+33612345678", "+33612345678"] },
  "01-float-gb": { country: "GB", rows: ["+447911123456", "+447911123456", "+442079460123"] },
  "01-float-in": { country: "IN", rows: ["+919876543210", "+919876543210"] },
  "01-float-mx": { country: "MX", rows: ["+525512345678", "+525512345678"] },
  "01-float-plus": { rows: ["+12025550111", "+4915123456789", "+447911123456"] },
  "01-float-us": { country: "US", rows: ["+12025550111", "+12025550112"] },
  "02-trunk-zero-same": { country: "GB", rows: Array<string>(4).fill("+447911123456") },
  "02-trunk-zero": {
    rows: [
      "+447911123456",
      "+447911123456",
      "+4915123456789",
      "+33612345678",
      "+33612345678",
      "+919876543210",
      "+61412345678",
      "+819012345678",
      "+390612345678",
      ...Array<string>(4).fill("+447911123456"),
      "+79123456789",
      "+5511987654321",
      "did you mean +52 55 1234 5678?",
      "+525512345678",
      "+5491112345678",
      "+5491112345678",
      "+12025550111",
    ],
  },
  "04-several-national": {
    country: "DE",
    rows: ["several", "several", "several", "is not a phone number", "several", "is not a phone number"],
  },
  "04-several-us": {
    country: "US",
    rows: ["several", "is not a phone number", ...Array<string>(3).fill("write it with its country code")],
  },
  "04-several": {
    rows: [
      ...Array<string>(4).fill("several"),
      ...Array<string>(2).fill("has an extension"),
      "several",
      // 21 is a direct-dial extension: DIN 5008 writes it after a hyphen.
      "+4930123456721",
      ...Array<string>(2).fill("several"),
      ...Array<string>(2).fill("has an extension"),
      "several",
    ],
  },
  "04b-prefixes": {
    rows: [
      "+12025550111",
      "+12025550112",
      "+12025550113",
      "is not a phone number",
      "is not a phone number",
      "+12025550116",
      "did you mean +1 202 555 0117?",
      ...["18", "19", "20", "21", "22", "23"].map((end) => `+120255501${end}`),
      "is not a phone number with its country code",
      "+12025550125",
      "is not a phone number",
      "is not a phone number",
      "did you mean +1 202 555 0128?",
      "+12025550129",
      "did you mean +1 202 555 0130?",
      "is not a phone number",
    ],
  },
  "07-excel-apostrophe": { country: "US", rows: ["11", "12", "13", "14", "15"].map((end) => `+120255501${end}`) },
  "07-excel-e": { country: "US", rows: [...Array<string>(4).fill("lost digits"), "+12025550111"] },
  "07-excel-errors": { country: "US", rows: Array<string>(8).fill("is not a phone number") },
  "07-excel-formula-minus": {
    country: "US",
    rows: ["is not a phone number", "is not a phone number", "+12025550113"],
  },
  "08-tz-TimeZone": { rows: ["+12025550111"] },
  "08-tz-Time_Zone": { rows: ["+12025550111"] },
  "08-tz-Timezone": { rows: ["+12025550111"] },
  "08-tz-timeZoneSidKey": { rows: ["+12025550111"] },
  "08-tz-time_zone": { rows: ["+12025550111"] },
  "08-tz-timezone": { rows: ["+12025550111"] },
  "08-tz-tz": { rows: ["+12025550111"] },
  "10-totals-us": { country: "US", rows: ["+12025550111", ...Array<string>(4).fill("is not a phone number")] },
  "10-totals": { country: "DE", rows: ["+12025550111", ...Array<string>(5).fill("is not a phone number")] },
};

/** Returns the rows of a file in order, as contacts or rejects. */
function rowsOf(name: string, country: string | null) {
  const csv = new ContactsCsv(country);
  const first = csv.push(new TextEncoder().encode(FILES[`./field-cases/${name}.csv`]));
  const last = csv.end();
  const contacts = [...(first?.contacts ?? []), ...last.contacts];
  const rejects = [...(first?.rejects ?? []), ...last.rejects];
  return [...contacts, ...rejects].sort((a, b) => a.line - b.line);
}

describe("lists made by other software", () => {
  it("lists made by other software have a case each", () => {
    const names = Object.keys(FILES).map((path) => path.replace(/^.*\/|\.csv$/g, ""));
    expect(names.sort()).toEqual(Object.keys(CASES).sort());
  });

  it.each(Object.entries(CASES))(
    "a list made by other software is read as intended, or rejected: %s",
    (name, { country, rows }) => {
      const read = rowsOf(name, country ?? null);
      expect(read.map((row) => ("phone_number" in row ? row.phone_number : row.reason))).toEqual(
        rows.map((row) => (row.startsWith("+") ? row : expect.stringContaining(row))),
      );
    },
  );

  it.each(Object.entries(CASES))(
    "a list made by other software yields no number whose digits aren't in its cell: %s",
    (name, { country }) => {
      const wrong: string[] = [];
      for (const row of rowsOf(name, country ?? null)) {
        if (!("phone_number" in row)) continue;
        const { phone_number, written = phone_number } = row;
        const national = parsePhoneNumberFromString(phone_number)?.nationalNumber ?? "";
        // Argentina's mobile numbers have a 9 when dialed from abroad and a 15 at home. Other scripts have their own
        // digits.
        if (phone_number.startsWith("+549") || /[^\x20-\x7e]/.test(written)) continue;
        if (!written.replace(/\D/g, "").includes(national)) wrong.push(written);
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each(Object.keys(CASES).filter((name) => name.startsWith("08")))(
    "a list made by other software uses people's own time zones: %s",
    (name) => {
      expect(rowsOf(name, null)).toMatchObject([{ timezone: "America/Los_Angeles" }]);
    },
  );
});
