import { agents } from "./agents.ts";
import { carriers } from "./carriers.ts";

const VENDORS: Record<string, string> = Object.fromEntries([
  ...Object.entries(carriers.names),
  ...Object.entries(agents.voiceProviders),
]);
const MODELS: Record<string, string> = {
  compatible: "Your operator's model",
  custom_llm: "Your own model server",
  scripted: "Built-in agent",
};
const TOKENS: Record<string, string> = {
  input: "input tokens",
  cached_input: "cached input tokens",
  output: "output tokens",
};

const LABELS: Record<string, string> = agents.models;

/** Returns a model's label; the name itself if it is unknown. */
export function modelNamed(name: string): string {
  return MODELS[name] ?? LABELS[name] ?? name;
}

/** Returns the label of a priced thing; the name itself if it is unknown. */
function nameOf(what: string): string {
  const [area, name = "", third = "", fourth = ""] = what.split("/");
  const vendor = VENDORS[name] ?? name;
  if (area === "model") return `${modelNamed(name)}, ${TOKENS[third] ?? third}`;
  if (area === "speech") return `${vendor}, speech`;
  if (area === "relay") return `${vendor}, speech recognition and synthesis`;
  if (area !== "carrier") return what;
  const direction = third === "inbound" ? "inbound" : "outbound";
  return `${vendor}, ${direction} calls to ${fourth === "+1" ? "+1" : "other numbers"}`;
}

/** Texts for the prices that are used to calculate costs. */
export const prices = {
  title: "Prices",
  one: "Price",
  lead: "The prices used to calculate costs: your own if you set them, otherwise public list prices.",
  nameOf,
  columns: { what: "Item", price: "Price", since: "In effect since", source: "Source" },
  unknown: "Unknown",
  unknownMore: "Conversations that use this cost more than is shown until you set a price.",
  free: "Free",
  own: "Your price",
  builtIn: "Part of the service",
  of: (amount: string, unit: string) => `${amount} ${unit}`,
  units: {
    million_tokens: "per million tokens",
    thousand_characters: "per 1,000 characters",
    minute: "per minute",
    started_minute: "per started minute",
  },
  filters: {
    search: "Search",
    from: "Source",
    all: "All prices",
    own: "Yours",
    list: "List prices",
    unknown: "Unknown",
  },
  nothingTitle: "No matching prices",
  nothing: "Try another word or fewer filters.",
  clear: "Clear filters",
  form: {
    kind: "Price",
    kinds: { default: "Default", own: "Your own", free: "Free" },
    hints: {
      default: "The vendor's public list price, or unknown if there is none.",
      own: "What you pay.",
      free: "It costs nothing.",
    },
    amount: (unit: string) => `US dollars ${unit}`,
    since: "A change applies to conversations that end from now on. Those that ended before keep their cost.",
    saved: "Price saved",
  },
  facts: { since: "In effect since", source: "Source", name: "Name in the API" },
};
