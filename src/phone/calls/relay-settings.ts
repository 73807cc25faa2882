import { DEFAULT_LANGUAGE } from "../../agent/speech/language.ts";
import type { agents } from "../../kernel/db/schema/index.ts";
import { builtIn, usesCurrentTime } from "../../kernel/rendering/built-in.ts";
import { render } from "../../kernel/rendering/render.ts";
import { type Variable, valuesOf } from "../../kernel/rendering/variables.ts";
import type { RelaySettings } from "../carriers/carrier.ts";

/** The agent's fields that decide how a carrier speaks for it. */
export const SPEAKER_COLUMNS = [
  "greeting_mode",
  "voice_provider",
  "voice_id",
  "language",
  "languages",
  "key_terms",
  "noise_suppression_enabled",
] as const;
export type Speaker = Record<"greeting_mode" | "voice_provider" | "voice_id" | "language", string> &
  Record<"languages" | "key_terms", string[]> &
  Record<"noise_suppression_enabled", boolean>;
/** The settings of a call whose agent was deleted while it was running. */
export const NO_SPEAKER: Speaker = {
  greeting_mode: "interruptible",
  voice_provider: "",
  voice_id: "",
  language: DEFAULT_LANGUAGE,
  languages: [],
  key_terms: [],
  noise_suppression_enabled: false,
};
export const GREETER_COLUMNS = ["name", "greeting_message", "timezone", "disclosure", ...SPEAKER_COLUMNS] as const;
export type Greeter = Pick<typeof agents.$inferSelect, (typeof GREETER_COLUMNS)[number]>;

/** The agent and the data of a call for which the carrier speaks. */
export interface Spoken {
  agent: Greeter;
  account_name: string;
  call: { direction: "outbound" | "inbound"; from_number: string; to_number: string };
  /** The contact's variables, then the call's. */
  variables: Variable[];
}

/**
 * Returns the settings for a carrier that speaks for an agent in text. A greeting that contains the time is left to the
 * runtime, because the phone may ring for a minute.
 */
export function relaySettings({ agent, account_name, call, variables }: Spoken): RelaySettings {
  const { name: agent_name, greeting_message } = agent;
  if (usesCurrentTime(greeting_message, variables)) return ungreeted(agent);
  const builtIns = builtIn({ agent_name, account_name, call, timezone: "UTC", language: agent.language, now: 0 });
  const { text } = render(greeting_message, valuesOf([...variables, ...builtIns]));
  return { ...ungreeted(agent), greeting: text };
}

/** Returns the settings for a running call, without a greeting. */
export function ungreeted(speaker: Speaker): RelaySettings {
  const { greeting_mode, voice_provider, voice_id, language, languages, key_terms } = speaker;
  return {
    greeting: "",
    greeting_interruptible: greeting_mode === "interruptible",
    voice_provider,
    voice_id,
    language,
    languages,
    key_terms,
    suppresses_noise: speaker.noise_suppression_enabled,
  };
}
