import { describe, expect, it } from "vitest";
import { readNumber } from "../../src/campaigns/import/phone-number.ts";
import { tenant } from "../support/client.ts";
import { append, type Campaign, upload } from "./support.ts";

const record = (campaign: Campaign) => campaign.import as unknown;

describe("national numbers of a list", () => {
  it.each([
    ["12025551017", "DE", { couldBe: "+12025551017" }],
    ["4915112345678", "DE", { couldBe: "+4915112345678" }],
    ["447911123456", "US", { couldBe: "+447911123456" }],
    ["0301234567", "DE", { e164: "+49301234567", isNational: true }],
    ["015112345678", "DE", { e164: "+4915112345678", isNational: true }],
    ["(202) 555-0101", "US", { e164: "+12025550101", isNational: true }],
    ["1 202 555 0101", "US", { e164: "+12025550101", isNational: true }],
    ["435 555 1234", "US", { e164: "+14355551234", isNational: true }],
    ["00 49 30 901820", "US", { e164: "+4930901820", isNational: false }],
    ["2025550101", null, null],
  ])("%s of %s is what its writer meant, or nothing", (written, country, read) => {
    expect(readNumber(written, country)).toEqual(read);
  });

  it("are told of in the import's record, and those that may be another country's are not dialled", async () => {
    const { server } = await tenant();
    const options = { default_country: "DE", on_invalid: "skip" };
    const list = "phone_number\n030 1234567\n+12025550110\n12025551017\n0301234568\n";
    const made = await upload(server, list, options);
    const path = `/api/v1/campaigns/${made.body.id}`;
    const first = { written: "030 1234567", phone_number: "+49301234567" };
    const second = { written: "0301234568", phone_number: "+49301234568" };
    expect(record(made.body)).toEqual({
      accepted: 3,
      rejected: 1,
      duplicates: 0,
      assumed: [{ country: "DE", count: 2, examples: [first, second] }],
    });
    expect((await server.get<string>(`${path}/rejects`)).body).toContain("could be +12025551017: write it with its");
    await append(server, path, "phone_number\n2025550199\n", { default_country: "US" });
    await append(server, path, "phone_number\n0301234569\n0301234561\n", { default_country: "DE" });
    expect(record((await server.get<Campaign>(path)).body)).toMatchObject({
      assumed: [
        { country: "DE", count: 4, examples: [first, second, { phone_number: "+49301234569" }] },
        { country: "US", count: 1, examples: [{ written: "2025550199", phone_number: "+12025550199" }] },
      ],
    });
  });
});
