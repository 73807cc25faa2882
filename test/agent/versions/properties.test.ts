import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { effectOf, maxRunsOf } from "../../../src/agent/tools/effect.ts";
import { argumentNames } from "../../../src/agent/tools/run/arguments.ts";
import { bindingSource, unboundSchema } from "../../../src/agent/tools/run/bind.ts";
import type { AgentContent, FaqBody, ToolItem, VersionFields } from "../../../src/agent/versions/content.ts";
import { diff } from "../../../src/agent/versions/diff.ts";
import { manifestOf } from "../../../src/agent/versions/manifest.ts";
import { scopesToChange } from "../../../src/agent/versions/may-change.ts";
import { loosens, narrower, narrowerTool } from "../../../src/agent/versions/narrower.ts";
import { NO_ANALYSIS, NO_PHRASES, REDACT_KINDS, STORAGE } from "../../../src/kernel/db/schema/index.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED), numRuns: 300 };

const word = fc.constantFrom("a", "b", "c", "é", "{{name}}", "");
const target = fc.record({
  label: fc.constantFrom("Front desk", "Sales", "Night"),
  number: fc.constantFrom("+12025550177", "+12025550178", "+12025550179"),
});
const fields: fc.Arbitrary<VersionFields> = fc.record({
  name: word,
  llm_model: fc.constantFrom("gpt-4o" as const, "gpt-4o-mini" as const),
  fallback_model: fc.constantFrom(null, "gpt-4o-mini"),
  voice_provider: fc.constant("cartesia" as const),
  voice_id: word,
  system_prompt: word,
  greeting_message: word,
  voicemail_message: word,
  greeting_mode: fc.constantFrom("interruptible" as const, "locked" as const),
  background_audio_enabled: fc.boolean(),
  background_audio_volume: fc.constantFrom(0, 0.5, 1),
  noise_suppression_enabled: fc.boolean(),
  ringing_enabled: fc.boolean(),
  transfer_targets: fc.uniqueArray(target, { selector: ({ label }) => label }),
  max_output_tokens: fc.constantFrom(64, 1_000),
  filler_after_ms: fc.constantFrom(0, 1_500),
  timezone: fc.constantFrom(null, "Europe/Vienna"),
  language: fc.constantFrom("en-US", "de-DE"),
  languages: fc.constantFrom([], ["tr-TR"]),
  key_terms: fc.constantFrom([], ["Acme"]),
  phrases: fc.constantFrom(NO_PHRASES),
  storage: fc.constantFrom(...STORAGE),
  redact: fc.uniqueArray(fc.constantFrom(...REDACT_KINDS)),
  analysis: fc.constant(NO_ANALYSIS),
});
const faqBody: fc.Arbitrary<FaqBody> = fc.record({
  name: fc.constantFrom("hours", "parking"),
  title: word,
  summary: word,
  content: word,
  category: fc.constant("general"),
  tags: fc.constant([]),
});
const source = fc.constantFrom("visitor.id", "call.from_number", "contact.plan");
const argument = fc.constantFrom("customer_id", "plan", "note");
const bind = fc.option(
  fc.dictionary(argument, fc.oneof(source, fc.record({ from: source, unverified: fc.boolean() })), { maxKeys: 3 }),
);
const schema = fc.uniqueArray(argument).map((names) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
}));
const tool: fc.Arbitrary<ToolItem> = fc.record({
  id: fc.constantFrom("t1", "t2", "t3"),
  enabled: fc.boolean(),
  config: fc.constantFrom({}, { a: 1 }),
  body: fc.record({
    name: fc.constantFrom("look_up", "book"),
    display_name: word,
    description: word,
    category: fc.constant("general"),
    implementation_type: fc.constant("http" as const),
    implementation_code: fc.constant(""),
    implementation_config: fc.constantFrom({}, { integration: "slack" }, { method: "POST" }),
    schema,
    effect: fc.option(fc.constantFrom("read" as const, "write" as const)),
    max_runs: fc.option(fc.constantFrom(1, 2, 5)),
    bind,
    tags: fc.constant([]),
  }),
});
const content: fc.Arbitrary<AgentContent> = fc.record({
  fields,
  tools: fc.uniqueArray(tool, { selector: ({ id }) => id }),
  playbooks: fc.constant([]),
  faqs: fc.uniqueArray(fc.record({ id: fc.constantFrom("f1", "f2", "f3"), body: faqBody }), {
    selector: ({ id }) => id,
  }),
  documents: fc.constant([]),
});

/** Returns the same value with the members of every object in another order, as storage may return them. */
function reordered<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reordered) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reordered(member)]),
  ) as T;
}

describe("the hash of a version", () => {
  it("depends only on the content, however it is stored, and changes with any difference", async () => {
    await fc.assert(
      fc.asyncProperty(content, content, async (one, other) => {
        const [a, again, b] = await Promise.all([one, reordered(one), other].map(manifestOf));
        expect(again?.hash).toBe(a?.hash);
        expect(a?.hash === b?.hash).toBe(diff(one, other).length === 0);
      }),
      property,
    );
  });

  it("covers everything to which the items refer", async () => {
    await fc.assert(
      fc.asyncProperty(content, async (one) => {
        const { items, bodies } = await manifestOf(one);
        for (const { hash } of items) expect(bodies.has(hash)).toBe(true);
        expect(items.map(({ id }) => id)).toEqual([...one.tools, ...one.playbooks, ...one.faqs].map(({ id }) => id));
      }),
      property,
    );
  });
});

describe("the difference of versions", () => {
  it("the difference between a version and itself is empty, and all others are symmetric", () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        expect(diff(one, one)).toEqual([]);
        const there = diff(one, other).map(({ old, new: now }) => JSON.stringify([old, now]));
        const back = diff(other, one).map(({ old, new: now }) => JSON.stringify([now, old]));
        expect(there.toSorted()).toEqual(back.toSorted());
      }),
      property,
    );
  });
});

describe("a version that is not in force", () => {
  it("never has more targets, tools, storage or fewer redacted kinds than either version", () => {
    fc.assert(
      fc.property(content, content, (own, inForce) => {
        const narrowed = narrower(own, inForce);
        const numbers = (side: AgentContent) => side.fields.transfer_targets.map(({ number }) => number);
        for (const number of numbers(narrowed)) {
          expect(numbers(own)).toContain(number);
          expect(numbers(inForce)).toContain(number);
        }
        const enabled = (side: AgentContent) => side.tools.flatMap(({ id, enabled: is }) => (is ? [id] : []));
        for (const id of enabled(narrowed)) {
          expect(enabled(own)).toContain(id);
          expect(enabled(inForce)).toContain(id);
        }
        expect(loosens(own.fields, narrowed.fields)).toBe(false);
        expect(loosens(inForce.fields, narrowed.fields)).toBe(false);
        expect(narrower(own, own)).toEqual({ ...own, tools: own.tools.filter((one) => one.enabled) });
      }),
      property,
    );
  });

  it("never widens a tool: it has effects if its own or the one in force has, runs as often as both allow, and the model fills in only what both leave to it", () => {
    fc.assert(
      fc.property(tool, tool, ({ body: own }, { body: inForce }) => {
        const narrowed = narrowerTool(own, inForce);
        const sides = [own, inForce];
        expect(effectOf(narrowed)).toBe(sides.some((side) => effectOf(side) === "write") ? "write" : "read");
        const limits = [narrowed, ...sides].map((side) => maxRunsOf(side) ?? Number.POSITIVE_INFINITY);
        expect(limits[0]).toBe(Math.min(...limits));
        const left = argumentNames(unboundSchema(narrowed.schema, narrowed.bind));
        for (const side of sides) for (const name of Object.keys(side.bind ?? {})) expect(left).not.toContain(name);
        const names = argumentNames(own.schema);
        for (const [name, binding] of Object.entries(inForce.bind ?? {})) {
          if (!names.has(name)) continue;
          const [is, wanted] = [bindingSource(narrowed.bind?.[name] ?? ""), bindingSource(binding)];
          expect(is.from).toBe(wanted.from);
          if (!wanted.unverified) expect(is.unverified).toBe(false);
        }
        expect(narrowed).toEqual({
          ...own,
          effect: narrowed.effect,
          max_runs: narrowed.max_runs,
          bind: narrowed.bind,
        });
        expect(narrowerTool(narrowed, inForce)).toEqual(narrowed);
      }),
      property,
    );
  });

  it("a version that requires no scope to put in force is not wider", () => {
    fc.assert(
      fc.property(content, content, fc.boolean(), (before, other, isClose) => {
        // Two unrelated versions almost always require a scope.
        const after = isClose ? { ...other, tools: before.tools, fields: before.fields } : other;
        if (scopesToChange(before, after).length > 0) return;
        expect(after.fields.transfer_targets).toEqual(before.fields.transfer_targets);
        expect(loosens(before.fields, after.fields)).toBe(false);
      }),
      property,
    );
  });
});
