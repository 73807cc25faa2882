import { describe, expect, it } from "vitest";
import { findCommands } from "../../src/browser/console/shell/find-commands.ts";

const COMMANDS = [
  { title: "New campaign" },
  { title: "Autumn campaign" },
  { title: "Campaigns" },
  { title: "Decampaigned" },
  { title: "Reception", also: "campaign" },
  { title: "+1 202 555 0143", also: "+12025550143" },
  { title: "Audit log" },
];
const titles = (text: string) => findCommands(COMMANDS, text).map(({ title }) => title);

describe("commands", () => {
  it("commands are found by their beginning first, then by a word's, then by any part, then by synonyms", () => {
    expect(titles("camp")).toEqual(["Campaigns", "New campaign", "Autumn campaign", "Decampaigned", "Reception"]);
    expect(titles("  CAMPAIGNS ")).toEqual(["Campaigns"]);
    expect(titles("nothing such")).toEqual([]);
  });

  it("commands are found by a phone number however it is grouped", () => {
    for (const written of ["+1202555", "1 (202) 555", "+1 202-555-0143", "0143"]) {
      expect(titles(written), written).toEqual(["+1 202 555 0143"]);
    }
    expect(titles("0144")).toEqual([]);
  });

  it("the list of found commands is limited to a readable number", () => {
    const many = Array.from({ length: 500 }, (_, nth) => ({ title: `Campaign ${nth}` }));
    expect(findCommands(many, "camp")).toHaveLength(40);
  });
});
