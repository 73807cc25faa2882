import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Body } from "../../src/browser/console/api/client.ts";
import {
  doubtfulNumbers,
  endingModels,
  nearCaps,
  pausedCampaigns,
  unreadyIntegrations,
} from "../../src/browser/console/screens/overview/attention.ts";
import {
  beginOf,
  countOf,
  OUTCOME_NAMES,
  rateOf,
  stretchesOf,
  windowNamed,
} from "../../src/browser/console/screens/overview/windows.ts";

const HOUR_MS = 3_600_000;
const NONE = {
  answered: 0,
  busy: 0,
  no_answer: 0,
  failed: 0,
  rejected: 0,
  machine: 0,
  canceled: 0,
  hangup: 0,
  do_not_call: 0,
  caller_limit: 0,
  budget: 0,
  no_final_event: 0,
  unknown: 0,
};

/** Hours of calls with these numbers of answered, busy and canceled calls. */
const hours = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 400 }).map((counted) =>
  counted.map(([answered, busy, canceled], nth): Body<"CallStatisticsBucket"> => {
    const decided = answered + busy + canceled;
    return {
      at: new Date(Date.UTC(2026, 10, 9) + nth * HOUR_MS).toISOString(),
      calls: decided + 1,
      running: 1,
      answered,
      end_reasons: Object.assign({}, NONE, { answered, busy, canceled }),
      talk_s: 0,
      answer_rate: decided === 0 ? null : answered / decided,
    };
  }),
);

describe("calls over time", () => {
  it("calls over time are complete when hours are summed to days, with the rate of the whole day", () => {
    fc.assert(
      fc.property(hours, (buckets) => {
        const days = stretchesOf(buckets, "7d");
        expect(days).toHaveLength(Math.ceil(buckets.length / 24));
        for (const outcome of OUTCOME_NAMES) {
          const all = buckets.reduce((sum, bucket) => sum + countOf(bucket, outcome), 0);
          expect(days.reduce((sum, day) => sum + day.outcomes[outcome], 0)).toBe(all);
        }
        const [first] = days;
        const ofFirst = buckets.slice(0, 24);
        const sum = (of: (bucket: Body<"CallStatisticsBucket">) => number) =>
          ofFirst.reduce((n, each) => n + of(each), 0);
        const decided = sum(({ end_reasons: { answered, busy, canceled } }) => answered + busy + canceled);
        expect(first && rateOf(first)).toBe(decided === 0 ? null : sum(({ answered }) => answered) / decided);
      }),
    );
  });

  it("begin a day ago, today, or a number of days before", () => {
    const now = new Date(2026, 10, 22, 15, 30).getTime();
    expect(beginOf("24h", now)).toBe(now - 24 * HOUR_MS);
    expect(beginOf("7d", now)).toBe(new Date(2026, 10, 16).getTime());
    expect(beginOf("14d", now)).toBe(new Date(2026, 10, 9).getTime());
    expect(windowNamed("nothing such")).toBe("24h");
  });
});

describe("the list of what needs attention", () => {
  const limits = (used: number): Body<"CallLimits"> => ({
    plan: "starter",
    inbound_reserve: 0,
    concurrent_calls: { limit: 10, used },
    calls_per_minute: { limit: 100, used: 0, resets_at: "2026-11-22T00:00:00.000Z" },
    calls_per_day: { limit: 0, used: 0, resets_at: "2026-11-22T00:00:00.000Z" },
  });

  it("includes caps from nine tenths on", () => {
    expect(nearCaps(limits(8))).toEqual([]);
    expect(nearCaps(limits(9))).toMatchObject([
      { tone: "warn", about: "Concurrent calls", words: "9 of 10 are in use." },
    ]);
    expect(nearCaps(limits(10))).toMatchObject([{ tone: "bad", words: "All 10 are in use." }]);
  });

  const number = (id: string, more: Partial<Body<"PhoneNumber">>): Body<"PhoneNumber"> =>
    Object.assign(
      {
        id,
        e164: `+1202555010${id}`,
        provider: "twilio" as const,
        credentials_id: "c",
        agent_id: null,
        in_service: null,
        inbound_enabled: true,
        outbound_enabled: true,
        last_check: null,
        created_at: "2026-11-22T00:00:00.000Z",
        updated_at: "2026-11-22T00:00:00.000Z",
      },
      more,
    );
  const at = "2026-11-22T00:00:00.000Z";

  it("includes numbers that failed their check, and real ones that were never checked", () => {
    const failed = number("1", { last_check: { at, ok: false, failed: ["owned", "inbound_address"] } });
    const good = number("2", { last_check: { at, ok: true, failed: [] } });
    const pretended = number("3", { provider: "sandbox" });
    const items = doubtfulNumbers([failed, good, pretended, number("4", {})], (e164) => e164);
    expect(items.map(({ tone, href, words }) => [tone, href, words])).toEqual([
      [
        "bad",
        "/numbers/1",
        "Failed its last check: number not confirmed by the carrier, inbound calls don't arrive here.",
      ],
      ["info", "/numbers/4", "Never checked."],
    ]);
  });

  it("summarizes many unchecked numbers in one entry", () => {
    const many = ["1", "2", "3"].map((id) => number(id, {}));
    expect(doubtfulNumbers(many, (e164) => e164)).toMatchObject([
      { href: "/numbers", words: "3 have never been checked." },
    ]);
  });

  it("includes paused campaigns with their reasons, those that paused by themselves first", () => {
    const counts = { pending: 0, originated: 0, connected: 0, completed: 0, failed: 0, cancelled: 0 };
    const campaigns = [
      { id: "a", name: "By hand", status: "paused", status_reason: null, counts: { ...counts, pending: 2 } },
      { id: "b", name: "By itself", status: "paused", status_reason: "carrier_auth", counts },
      { id: "c", name: "Runs", status: "running", status_reason: null, counts },
    ] satisfies Parameters<typeof pausedCampaigns>[0];
    expect(pausedCampaigns(campaigns).map(({ about, words }) => `${about}: ${words}`)).toEqual([
      "By itself: Paused: the carrier rejected the credentials. Check them.",
      "By hand: Paused manually. 2 contacts waiting.",
    ]);
  });

  it("includes installed integrations that lack something, by display name", () => {
    const asks_for = {
      params: [{ name: "shop_domain", label: "Shop domain", required: true, description: "", decides_host: true }],
      secrets: [],
    };
    const integration = { id: "i", display_name: "Shopify", missing: ["shop_domain"], asks_for, reason: "…" };
    const integrations = [
      { ...integration, status: "installed", ready: false },
      { ...integration, status: "installed", ready: true },
      { ...integration, status: "available", ready: false },
    ] satisfies Parameters<typeof unreadyIntegrations>[0];
    expect(unreadyIntegrations(integrations).map(({ words }) => words)).toEqual([
      "Setup incomplete. Missing: Shop domain.",
    ]);
  });

  const NOW = Date.parse("2026-12-20T00:00:00Z");
  const model = (more: Partial<Body<"LanguageModel">>) =>
    Object.assign(
      {
        llm_model: "gpt-4o",
        answers_with: "openai",
        model: "gpt-4o",
        label: "GPT-4o",
        provider: "openai",
        available: true,
        reason: null,
        input_micros_per_million: 2_500_000,
        output_micros_per_million: 10_000_000,
        ends_at: "2027-01-14T00:00:00.000Z",
        replaced_by: "gpt-6-luna",
      } as const,
      more,
    );
  const agent = (name: string, llm_model: string, fallback_model: string | null, status: "active" | "archived") => ({
    name,
    llm_model,
    fallback_model,
    status,
  });

  it("a model that ends within 30 days needs attention, with the agents in use that name it", () => {
    const agents = [
      agent("Reception", "gpt-4o", null, "active"),
      agent("Sales", "claude-3-5-sonnet", "gpt-4o", "active"),
      agent("Old", "gpt-4o", null, "archived"),
      agent("Other", "gpt-6-luna", null, "active"),
    ];
    const [item, ...others] = endingModels([model({})], agents, NOW);
    expect(others).toEqual([]);
    expect([item?.tone, item?.about, item?.href]).toEqual(["warn", "GPT-4o", "/agents"]);
    expect(item?.words).toMatch(/^ends on .*14.* After that, GPT-6 Luna answers for Reception, Sales\.$/);
  });

  it("a model that ends later, has ended or is used by no agent needs no attention", () => {
    const agents = [agent("Reception", "gpt-4o", null, "active")];
    expect(endingModels([model({ ends_at: "2027-01-20T00:00:00.000Z" })], agents, NOW)).toEqual([]);
    expect(endingModels([model({ ends_at: "2026-12-19T00:00:00.000Z" })], agents, NOW)).toEqual([]);
    expect(endingModels([model({ ends_at: null })], agents, NOW)).toEqual([]);
    expect(endingModels([model({})], [agent("Old", "gpt-4o", null, "archived")], NOW)).toEqual([]);
  });
});
