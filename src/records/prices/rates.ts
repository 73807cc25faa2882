import type { Measure, Rate } from "./cost.ts";
import type { PricesAt } from "./price-list.ts";

/** The facts that determine which prices apply to a conversation. */
export interface PricedConversation {
  /**
   * The agent's model by its name in the price list, or the kind of model that answered in its place (`compatible`,
   * `scripted`).
   */
  model: string;
  /** The fallback model; null or omitted if it was not asked. */
  fallback?: string | null;
  /** The voice provider that the account pays; empty if a carrier or browser spoke, or nothing was spoken. */
  voice_provider: string;
  /** Null if the conversation was not on a call. */
  call: {
    carrier: string;
    direction: "outbound" | "inbound";
    to_number: string;
    /** Whether the carrier converts speech to text and back, so that no voice provider is paid. */
    relayed: boolean;
  } | null;
}

/** Returns the name of a model in the price list. All models of the account's own server share one price. */
export function pricedName(model: string): string {
  return model.startsWith("custom_llm:") ? "custom_llm" : model;
}

/**
 * Returns the model of these rates by its name in the price list; if there are two models, the first or the fallback.
 * "" for none.
 */
export function modelOfRates(rates: readonly Rate[], fallback?: boolean): string {
  const rate = rates.find((one) => one.measure === "uncached_tokens" && one.fallback === fallback);
  return /^model\/(.*)\/input$/.exec(rate?.what ?? "")?.[1] ?? "";
}

/** Returns the prices that apply to a conversation, out of those in force. */
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
