import type { Unit } from "./units.ts";

/** A vendor's list price: per unit, from this day (UTC) on, with its source. */
export interface ListPrice {
  since: string;
  unit_micros: number;
  source: string;
}

/** A priced unit with its list prices, oldest first; empty if no public list has them. */
export interface PricedThing {
  what: string;
  unit: Unit;
  list: ListPrice[];
}

const OPENAI = "OpenAI, https://developers.openai.com/api/docs/pricing";
const LUNA = "OpenAI, gpt-6-luna, which serves this model from then on, https://developers.openai.com/api/docs/models";
const GPT_6 = "OpenAI, https://developers.openai.com/api/docs/models";
const ANTHROPIC = "Anthropic, Claude Sonnet 3.5, https://platform.claude.com/docs/en/about-claude/pricing";
const SONNET_5 =
  "Anthropic, Claude Sonnet 5, which serves this model, https://platform.claude.com/docs/en/about-claude/pricing";
const CLAUDE_5 = "Anthropic, Claude Sonnet 5, https://platform.claude.com/docs/en/about-claude/pricing";
const ELEVENLABS = "ElevenLabs, Flash models, https://elevenlabs.io/pricing/api";
const DEEPGRAM = "Deepgram, Aura-2, pay as you go, https://deepgram.com/pricing";
const TWILIO = "Twilio, local numbers of the United States, https://www.twilio.com/en-us/voice/pricing/us";
const TWILIO_RELAY =
  "Twilio, ConversationRelay with speech in both directions, https://www.twilio.com/en-us/voice/pricing/us";
const BUILT_IN = "part of the service";

/** Returns the prices of a model's tokens. Each list is [since, input, cached input, output, source]. */
function model(name: string, ...lists: [string, number, number, number, string][]): PricedThing[] {
  const kinds = ["input", "cached_input", "output"];
  return kinds.map((kind, column) => ({
    what: `model/${name}/${kind}`,
    unit: "million_tokens",
    list: lists.map(([since, ...rest]) => ({
      since,
      unit_micros: Number(rest[column]),
      source: String(rest.at(-1)),
    })),
  }));
}

function thing(what: string, unit: Unit, ...list: [since: string, unit_micros: number, source: string][]): PricedThing {
  return { what, unit, list: list.map(([since, unit_micros, source]) => ({ since, unit_micros, source })) };
}

/**
 * All priced things in the order of the list, with vendors' public list prices. Vendors sell speech by plan and calls
 * by destination, so a price that differs between customers stays unknown until the account sets what it pays. A
 * conversation with an unknown price is not free: its cost is incomplete.
 */
export const PRICED_THINGS: readonly PricedThing[] = [
  ...model(
    "gpt-4o",
    ["2024-10-01", 2_500_000, 1_250_000, 10_000_000, OPENAI],
    ["2027-01-14", 100_000, 10_000, 500_000, LUNA],
  ),
  ...model(
    "gpt-4o-mini",
    ["2024-10-01", 150_000, 75_000, 600_000, OPENAI],
    ["2027-01-14", 100_000, 10_000, 500_000, LUNA],
  ),
  ...model(
    "claude-3-5-sonnet",
    ["2024-06-20", 3_000_000, 300_000, 15_000_000, ANTHROPIC],
    ["2026-09-01", 2_000_000, 200_000, 10_000_000, SONNET_5],
  ),
  // The prices for prompts of up to 272,000 tokens.
  ...model("gpt-6-luna", ["2026-09-22", 100_000, 10_000, 500_000, GPT_6]),
  ...model("gpt-6-sol", ["2026-09-22", 2_000_000, 200_000, 10_000_000, GPT_6]),
  ...model("claude-sonnet-5", ["2026-09-01", 2_000_000, 200_000, 10_000_000, CLAUDE_5]),
  ...model("compatible"),
  ...model("custom_llm"),
  ...model("scripted", ["2024-01-01", 0, 0, 0, BUILT_IN]),
  thing("speech/cartesia", "thousand_characters"),
  thing("speech/elevenlabs", "thousand_characters", ["2025-01-01", 50_000, ELEVENLABS]),
  thing("speech/deepgram", "thousand_characters", ["2025-04-15", 30_000, DEEPGRAM]),
  thing("relay/twilio", "started_minute", ["2025-05-14", 70_000, TWILIO_RELAY]),
  thing("relay/telnyx", "minute"),
  thing("relay/sandbox", "minute", ["2024-01-01", 0, BUILT_IN]),
  thing("carrier/twilio/outbound/+1", "started_minute", ["2024-01-01", 14_000, TWILIO]),
  thing("carrier/twilio/outbound/other", "started_minute"),
  thing("carrier/twilio/inbound/+1", "started_minute", ["2024-01-01", 8_500, TWILIO]),
  thing("carrier/twilio/inbound/other", "started_minute"),
  ...["telnyx", "signalwire", "vonage", "plivo"].flatMap((carrier) =>
    ["outbound/+1", "outbound/other", "inbound/+1", "inbound/other"].map((way) =>
      thing(`carrier/${carrier}/${way}`, carrier === "plivo" ? "started_minute" : "minute"),
    ),
  ),
  ...["outbound/+1", "outbound/other", "inbound/+1", "inbound/other"].map((way) =>
    thing(`carrier/sandbox/${way}`, "minute", ["2024-01-01", 0, BUILT_IN]),
  ),
];
