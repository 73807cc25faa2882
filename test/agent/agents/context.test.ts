import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf, faqEntry, leftOutInWords, MAX_CONTEXT_CHARS } from "../../../src/agent/agents/context.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED), numRuns: 300 };

const size = fc.oneof(fc.nat(100), fc.nat(30_000), fc.integer({ min: 59_900, max: 70_000 }));
const playbooks = fc
  .array(size, { maxLength: 12 })
  .map((sizes) => sizes.map((chars, n) => playbook(`p${n}`, "p".repeat(chars))));
const faqs = fc
  .array(size, { maxLength: 12 })
  .map((sizes) => sizes.map((chars, n) => ({ name: `f${n}`, title: "F", summary: "", content: "f".repeat(chars) })));

function playbook(name: string, content: string | null) {
  return { name, display_name: "P", description: "", tool_names: [], triggers: [], content };
}

const sizeOf = ({ playbooks: some, faqs: others }: Pick<ReturnType<typeof contextOf>, "playbooks" | "faqs">) =>
  some.reduce((sum, { content }) => sum + "# P\n".length + (content ?? "").length, 0) +
  others.reduce((sum, faq) => sum + faqEntry(faq).length, 0);
const names = (entries: { name: string }[]) => entries.map(({ name }) => name);

describe("the context of an agent", () => {
  it("never exceeds its limit", () => {
    fc.assert(
      fc.property(playbooks, faqs, (some, others) => {
        expect(sizeOf(contextOf({ playbooks: some, faqs: others }))).toBeLessThanOrEqual(MAX_CONTEXT_CHARS);
      }),
      property,
    );
  });

  it("contains every entry completely and in order, or names it as left out", () => {
    fc.assert(
      fc.property(playbooks, faqs, (some, others) => {
        const { playbooks: p, faqs: f, left_out } = contextOf({ playbooks: some, faqs: others });
        const out = (kind: string) => names(left_out.filter((one) => one.kind === kind));
        expect(p).toEqual(some.filter(({ name }) => !out("playbook").includes(name)));
        expect(f).toEqual(others.filter(({ name }) => !out("faq").includes(name)));
        expect(p.length + f.length + left_out.length).toBe(some.length + others.length);
      }),
      property,
    );
  });

  it("leaves out only entries that no longer fit besides those before them", () => {
    fc.assert(
      fc.property(playbooks, faqs, (some, others) => {
        const { playbooks: p, faqs: f, left_out } = contextOf({ playbooks: some, faqs: others });
        for (const { kind, name } of left_out) {
          const place = (entries: { name: string }[], own: string) => entries.findIndex((one) => one.name === own);
          const at = place(kind === "playbook" ? some : others, name);
          const before =
            kind === "playbook"
              ? { playbooks: p.filter((one) => place(some, one.name) < at), faqs: [] }
              : { playbooks: p, faqs: f.filter((one) => place(others, one.name) < at) };
          const own =
            kind === "playbook"
              ? { playbooks: some.slice(at, at + 1), faqs: [] }
              : { playbooks: [], faqs: others.slice(at, at + 1) };
          expect(sizeOf(before) + sizeOf(own)).toBeGreaterThan(MAX_CONTEXT_CHARS);
        }
      }),
      property,
    );
  });

  it("includes an entry that fills it to the last character", () => {
    const full = [playbook("full", "p".repeat(MAX_CONTEXT_CHARS - "# P\n".length))];
    expect(contextOf({ playbooks: full, faqs: [] }).left_out).toEqual([]);
    const over = [playbook("over", "p".repeat(MAX_CONTEXT_CHARS - "# P\n".length + 1))];
    expect(contextOf({ playbooks: over, faqs: [] }).left_out).toEqual([{ kind: "playbook", name: "over" }]);
  });

  it("counts an FAQ without content by its summary, and a playbook without markdown by its generated page", () => {
    const faq = { name: "f", title: "F", summary: "s".repeat(MAX_CONTEXT_CHARS), content: "" };
    expect(contextOf({ playbooks: [], faqs: [faq] }).left_out).toEqual([{ kind: "faq", name: "f" }]);
    const made = Object.assign(playbook("p", null), { description: "d".repeat(MAX_CONTEXT_CHARS) });
    expect(contextOf({ playbooks: [made], faqs: [] }).left_out).toEqual([{ kind: "playbook", name: "p" }]);
  });

  it("names the left out entries in a sentence, at most ten of them", () => {
    expect(leftOutInWords([])).toBeNull();
    const many = Array.from({ length: 12 }, (_, n) => ({ kind: "faq" as const, name: `faq_${n}` }));
    expect(leftOutInWords(many)).toMatch(
      /exceed 60,000 characters together.* the FAQ faq_0, .*faq_9 and 2 more: shorten/,
    );
  });
});
