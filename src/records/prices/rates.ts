import type { Measure, Rate } from "./cost.ts";
import type { PricesAt } from "./price-list.ts";

/** What decides which prices apply to a conversation. */
export interface PricedConversation {
  /** As the price list names it: the agent's model, or what answered in its place (`compatible`, `scripted`). */
  model: string;
  /** The same of the agent's second model; null or left out if it was not asked. */
  fallback?: string | null;
  /** Whose voice the account pays for; empty if a carrier's or browser's spoke, or nothing was spoken. */
  voice_provider: string;
  /** Null if it was not held on a call. */
  call: {
    carrier: string;
    direction: "outbound" | "inbound";
    to_number: string;
    /** Whether the carrier turns speech into text and text into speech, so that no voice provider is paid. */
    relayed: boolean;
  } | null;
}

/** Returns the name under which the price list has a model: those of the account's own server have one price. */
export function pricedName(model: string): string {
  return model.startsWith("custom_llm:") ? "custom_llm" : model;
}

/** The prices that apply to a conversation, of those in force. */
export function ratesOf({ model, fallback, voice_provider, call }: PricedConversation, prices: PricesAt): Rate[] {
  const rate = (what: string, measure: Measure): Rate => {
    const { unit, unit_micros } = prices.of(what);
    return { what, measure, unit, unit_micros };
  };
  const ratesOfModel = (name: string) => [
    rate(`model/${name}/input`, "uncached_tokens"),
    rate(`model/${name}/cached_input`, "cached_tokens"),
    rate(`model/${name}/output`, "output_tokens"),
  ];
  const [first, second] = [pricedName(model), fallback == null ? null : pricedName(fallback)];
  const ofModel =
    second === null || second === first
      ? ratesOfModel(first)
      : [first, second].flatMap((name, n) =>
          ratesOfModel(name).map((one) => Object.assign(one, { fallback: n === 1 })),
        );
  const ownSpeech = rate(`speech/${voice_provider}`, "speech_chars");
  if (call === null) return voice_provider === "" ? ofModel : [...ofModel, ownSpeech];
  const { carrier, direction, to_number, relayed } = call;
  const speech = relayed ? rate(`relay/${carrier}`, "carrier_s") : ownSpeech;
  const destination = to_number.startsWith("+1") ? "+1" : "other";
  return [...ofModel, speech, rate(`carrier/${carrier}/${direction}/${destination}`, "carrier_s")];
}
