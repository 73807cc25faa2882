import { describe, expect, it } from "vitest";
import { searchKnowledge } from "../../../../src/conversation/runtime/built-in/search-knowledge.ts";

const faq = (name: string, title: string, content: string, summary = "") => ({ name, title, summary, content });
const KNOWN = {
  faqs: [
    faq("hours", "Opening hours", "We open at nine on weekdays."),
    faq("parking", "Where to park", "Behind the house. Parking is free for two hours."),
    faq("payment", "Ways to pay", "", "By card or in cash."),
    faq("eigyo", "営業時間", "平日は午前九時から営業しています。"),
  ],
  playbooks: [{ name: "complaint", display_name: "Calm a complaint", content: "1. Listen.\n2. Apologize once." }],
};
const namesFor = (query: string) => searchKnowledge(KNOWN, query).map(({ source }) => source.name);

describe("search_knowledge", () => {
  it("returns what has most words in common first, with the name of its source", () => {
    expect(searchKnowledge(KNOWN, "Where can I park?")[0]).toEqual({
      source: { kind: "faq", name: "parking", title: "Where to park" },
      text: "Behind the house. Parking is free for two hours.",
    });
    expect(namesFor("when are you open on weekdays")[0]).toBe("hours");
    expect(namesFor("how may I pay")[0]).toBe("payment");
  });

  it("finds playbooks too", () => {
    expect(searchKnowledge(KNOWN, "a complaint")[0]?.source).toEqual({
      kind: "playbook",
      name: "complaint",
      title: "Calm a complaint",
    });
  });

  it("returns an answer that stands in its summary alone", () => {
    expect(searchKnowledge(KNOWN, "pay")[0]?.text).toBe("By card or in cash.");
  });

  it("finds words of a script without spaces", () => {
    expect(namesFor("営業は何時から？")[0]).toBe("eigyo");
  });

  it.each(["Do you sell giraffes?", "the and of", "", "???"])("finds nothing for %o", (query) => {
    expect(searchKnowledge(KNOWN, query)).toEqual([]);
  });

  it("returns the passage of a long text that answers, whole paragraphs of at most 1,500 characters", () => {
    const filler = Array.from({ length: 200 }, (_, n) => `Paragraph ${n} is about nothing in particular.`).join("\n\n");
    const content = `${filler}\n\nOur giraffes are fed at noon.\n\n${filler}`;
    const [found] = searchKnowledge({ faqs: [faq("zoo", "The zoo", content)], playbooks: [] }, "when are giraffes fed");
    expect(found?.text).toContain("Our giraffes are fed at noon.");
    expect(found?.text.length).toBeLessThanOrEqual(1_500);
  });

  it("returns at most three results", () => {
    const faqs = Array.from({ length: 50 }, (_, n) => faq(`q${n}`, `Delivery ${n}`, "Delivery takes two days."));
    expect(searchKnowledge({ faqs, playbooks: [] }, "delivery")).toHaveLength(3);
  });
});
