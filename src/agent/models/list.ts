/** A model that agents can name, as its vendor describes it; its prices are in the price list. */
export interface ListedModel {
  /** The name that agents use. */
  name: string;
  provider: "openai" | "anthropic";
  /** The name that people see. */
  label: string;
  /** Whether reasoning must be turned off, because it is on by default and too slow for a call. */
  thinks: boolean;
  /** The day (UTC) on which the vendor stops serving the model; null if none is announced. */
  ends_on: string | null;
  /** The listed model that answers from that day on; null if there is none. */
  replaced_by: string | null;
  /** The vendor's page with these facts. */
  source: string;
  /** The day on which that page was last read. */
  read_on: string;
}

const OPENAI_MODELS = "https://developers.openai.com/api/docs/models/";
const OPENAI_ENDS = "https://developers.openai.com/api/docs/deprecations";
const ANTHROPIC_MODELS = "https://platform.claude.com/docs/en/about-claude/models/overview";
const ANTHROPIC_ENDS = "https://platform.claude.com/docs/en/about-claude/model-deprecations";

/**
 * All vendors' models that agents can name. A model never leaves this list, because agents and their versions keep its
 * name: after its end `replaced_by` answers.
 */
export const LISTED_MODELS: readonly ListedModel[] = [
  {
    name: "gpt-4o",
    provider: "openai",
    label: "GPT-4o",
    thinks: false,
    ends_on: "2027-01-14",
    replaced_by: "gpt-6-luna",
    source: OPENAI_ENDS,
    read_on: "2026-11-29",
  },
  {
    name: "gpt-4o-mini",
    provider: "openai",
    label: "GPT-4o mini",
    thinks: false,
    ends_on: "2027-01-14",
    replaced_by: "gpt-6-luna",
    source: OPENAI_ENDS,
    read_on: "2026-11-29",
  },
  {
    name: "claude-3-5-sonnet",
    provider: "anthropic",
    label: "Claude 3.5 Sonnet",
    thinks: false,
    ends_on: "2025-10-28",
    // claude-sonnet-5 is the only successor that can turn thinking off completely. claude-sonnet-5-5 cannot: it puts
    // text between tool calls into thinking blocks, which are neither spoken nor stored.
    replaced_by: "claude-sonnet-5",
    source: ANTHROPIC_ENDS,
    read_on: "2026-11-21",
  },
  {
    // If a request has tools, the model accepts no reasoning effort but `none`.
    name: "gpt-6-luna",
    provider: "openai",
    label: "GPT-6 Luna",
    thinks: true,
    ends_on: null,
    replaced_by: null,
    source: `${OPENAI_MODELS}gpt-6-luna`,
    read_on: "2026-11-29",
  },
  {
    // Its chat completions API calls functions only with the reasoning effort `none`. gpt-6.1-sol and gpt-6.2-sol
    // refuse that effort, so they are not listed.
    name: "gpt-6-sol",
    provider: "openai",
    label: "GPT-6 Sol",
    thinks: true,
    ends_on: null,
    replaced_by: null,
    source: `${OPENAI_MODELS}gpt-6-sol`,
    read_on: "2026-11-29",
  },
  {
    name: "claude-sonnet-5",
    provider: "anthropic",
    label: "Claude Sonnet 5",
    thinks: true,
    ends_on: null,
    replaced_by: null,
    source: ANTHROPIC_MODELS,
    read_on: "2026-11-29",
  },
];

/** The models named by the specification. The platform's own key serves them if the operator lists no others. */
export const DEFAULT_PLATFORM_MODELS = ["gpt-4o", "gpt-4o-mini", "claude-3-5-sonnet"] as const;

const BY_NAME = new Map(LISTED_MODELS.map((model) => [model.name, model]));

export function listedModel(name: string): ListedModel | undefined {
  return BY_NAME.get(name);
}

/** Returns when a vendor stops serving a model, ms; null if no end is announced. */
export function endOf({ ends_on }: ListedModel): number | null {
  return ends_on === null ? null : Date.parse(`${ends_on}T00:00:00Z`);
}

/** Returns the model that answers at `now` (ms): this one before its end, otherwise its successor. */
export function inService(model: ListedModel, now: number): ListedModel {
  const end = endOf(model);
  if (end === null || now < end) return model;
  const successor = model.replaced_by === null ? undefined : BY_NAME.get(model.replaced_by);
  return successor ? inService(successor, now) : model;
}
