import { ownPhrases } from "../../../agent/speech/sentences.ts";
import type { VersionFields } from "../../../agent/versions/content.ts";
import type { Phrases } from "../../../kernel/db/schema/index.ts";
import { renderAll } from "../../../kernel/rendering/render.ts";
import type { Variable } from "../../../kernel/rendering/variables.ts";
import type { SessionSnapshot } from "./session.ts";

/** The parts of a snapshot's agent besides its fields: its identity and rendered texts. */
type RenderedAgent = Pick<
  SessionSnapshot["agent"],
  "id" | "version" | "prompt_id" | "system_prompt" | "greeting_message" | "phrases"
>;

/** Returns an agent's texts rendered with these variables, and the names that had neither a value nor a default. */
export function renderedTexts(
  { system_prompt, greeting_message, phrases }: VersionFields,
  variables: Variable[],
): { texts: Pick<RenderedAgent, "system_prompt" | "greeting_message" | "phrases">; missing: string[] } {
  const { texts, missing } = renderAll({ system_prompt, greeting_message }, variables);
  const spoken = renderAll(ownPhrases(phrases), variables);
  const rendered: Phrases = Object.assign({}, phrases, spoken.texts);
  return {
    texts: { system_prompt: texts.system_prompt, greeting_message: texts.greeting_message, phrases: rendered },
    missing: [...new Set([...missing, ...spoken.missing])],
  };
}

/** Returns the agent of a session as its runtime receives it. */
export function agentOf(fields: VersionFields, rendered: RenderedAgent): SessionSnapshot["agent"] {
  return {
    id: rendered.id,
    version: rendered.version,
    name: fields.name,
    llm_model: fields.llm_model,
    fallback_model: fields.fallback_model,
    voice_provider: fields.voice_provider,
    voice_id: fields.voice_id,
    system_prompt: rendered.system_prompt,
    greeting_message: rendered.greeting_message,
    greeting_mode: fields.greeting_mode,
    background_audio_enabled: fields.background_audio_enabled,
    background_audio_volume: fields.background_audio_volume,
    noise_suppression_enabled: fields.noise_suppression_enabled,
    ringing_enabled: fields.ringing_enabled,
    transfer_targets: fields.transfer_targets,
    max_output_tokens: fields.max_output_tokens,
    filler_after_ms: fields.filler_after_ms,
    language: fields.language,
    languages: fields.languages,
    key_terms: fields.key_terms,
    phrases: rendered.phrases,
    storage: fields.storage,
    redact: fields.redact,
    prompt_id: rendered.prompt_id,
  };
}
