import { describe, expect, it } from "vitest";
import { beginningOf, PEOPLE, personAt, personWhoSays } from "../../../src/phone/carriers/sandbox-people.ts";
import { isScripted } from "../../../src/phone/carriers/sandbox-script.ts";

describe("the people of the sandbox", () => {
  it("the last digit of a sandbox number alone decides which person answers", () => {
    expect(PEOPLE).toHaveLength(10);
    expect(new Set(PEOPLE.map(({ name }) => name)).size).toBe(10);
    for (const digit of PEOPLE.keys()) {
      expect(personAt(`+1202555010${digit}`)).toBe(PEOPLE[digit]);
      expect(personAt(`+4930123456${digit}`)).toBe(PEOPLE[digit]);
    }
  });

  it("every sandbox person has something to say", () => {
    for (const { lines } of PEOPLE)
      expect(lines.every(({ says }) => says.trim() !== "" && says.length <= 1000)).toBe(true);
    const impatient = PEOPLE.filter(({ lines }) =>
      lines.some(({ interruptsAfterWords = 0 }) => interruptsAfterWords > 0),
    );
    expect(impatient.map(({ name }) => name)).toEqual(["talks over the agent"]);
  });

  it("sandbox people opt out only at the numbers meant for it", () => {
    const refuses = (number: string) => personAt(number).lines.some(({ says }) => /stop calling me/i.test(says));
    const ends = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0"));
    expect(ends.filter((end) => refuses(`+120255501${end}`))).toEqual(["18"]);
  });

  it("sandbox numbers ending in 01 to 07 have no person", () => {
    const scripted = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0")).filter((end) =>
      isScripted(`+120255501${end}`),
    );
    expect(scripted).toEqual(["01", "02", "03", "04", "05", "06", "07"]);
  });

  it("a sandbox person says the given lines", () => {
    expect(personWhoSays(["One", "Two"]).lines).toEqual([{ says: "One" }, { says: "Two" }]);
    expect(personWhoSays([]).lines).toEqual([]);
  });

  it("a sandbox person interrupts after a set number of words", () => {
    expect(beginningOf(2, "We are open")).toBe("We are");
    expect(beginningOf(2, " We  are\nopen today")).toBe(" We  are");
    expect(beginningOf(1, "We are")).toBe("We");
    for (const short of ["", " ", "We", "We are", "We are "]) expect(beginningOf(2, short), short).toBeNull();
  });
});
