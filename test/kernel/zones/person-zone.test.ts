import { describe, expect, it } from "vitest";
import { personZone } from "../../../src/kernel/zones/person-zone.ts";

const ALL = {
  contact: "Asia/Tokyo",
  campaign: "Asia/Seoul",
  number: "+4930123456",
  agent: "Pacific/Auckland",
  account: "America/Denver",
};
const NONE = { contact: null, campaign: null, number: null, agent: null, account: null };

describe("the time zone of a person", () => {
  it("a person's time zone is the contact's, the campaign's, their number's, the agent's or the account's, in this order", () => {
    const order = [...Object.values(ALL).map((zone) => (zone === ALL.number ? "Europe/Berlin" : zone)), "UTC"];
    const names = Object.keys(ALL);
    for (const [n, expected] of order.entries()) {
      const unknown = Object.fromEntries(names.slice(0, n).map((name) => [name, null]));
      expect(personZone(Object.assign({}, ALL, unknown)), names[n] ?? "none").toBe(expected);
    }
  });

  it.each([
    ["a country with several clocks", "+13035550111"],
    ["a withheld number", "anonymous"],
    ["no number", ""],
    ["a number that no country has", "+9990123456"],
  ])("%s does not determine a person's time zone", (_, number) => {
    expect(personZone(Object.assign({}, NONE, { number, agent: "Asia/Tokyo" }))).toBe("Asia/Tokyo");
  });

  it("a person's time zone is UTC if the name is not a zone", () => {
    expect(personZone(Object.assign({}, NONE, { contact: "Mars/Olympus" }))).toBe("UTC");
  });
});
