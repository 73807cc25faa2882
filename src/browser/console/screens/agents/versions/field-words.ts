import { formatName, formatShare } from "../../../texts/format.ts";
import { agents, common, agentVersions as t } from "../../../texts/index.ts";
import { isObject } from "../../../ui/json.ts";
import { chosen } from "../../../ui/options.ts";

const FIELDS: Record<string, string> = {
  name: agents.fields.name,
  llm_model: agents.fields.model,
  fallback_model: agents.fields.fallbackModel,
  voice_provider: agents.fields.voiceProvider,
  voice_id: agents.fields.voice,
  system_prompt: agents.fields.prompt,
  greeting_message: agents.fields.greeting,
  voicemail_message: agents.fields.voicemail,
  greeting_mode: agents.fields.greetingMode,
  background_audio_enabled: agents.fields.backgroundAudio,
  background_audio_volume: agents.fields.volume,
  noise_suppression_enabled: agents.fields.noiseSuppression,
  ringing_enabled: agents.fields.ringing,
  transfer_targets: agents.transfer.title,
  max_output_tokens: agents.fields.maxOutput,
  filler_after_ms: agents.fields.filler,
  timezone: agents.fields.timezone,
  language: agents.fields.language,
  languages: agents.fields.languages,
  key_terms: agents.fields.keyTerms,
  phrases: agents.fields.phrases,
  storage: agents.fields.storage,
  redact: agents.settings.storage,
  analysis: agents.tabs.analysis,
};

const CHOICES: Record<string, Record<string, string>> = {
  llm_model: agents.models,
  fallback_model: agents.models,
  voice_provider: agents.voiceProviders,
  greeting_mode: agents.greetingModes,
  storage: agents.storages,
};

const REDACTED: Record<string, string> = agents.redactKinds;

/** Returns the label of a field: `faqs.opening_hours.content` → "FAQ opening_hours › Content". */
export function fieldInWords(field: string): string {
  const [kind = "", name, ...rest] = field.split(".");
  const one = chosen(t.one, kind);
  if (one === undefined) return FIELDS[field] ?? formatName(field);
  if (name === undefined) return t.orderOf(t.kinds[one]);
  return [`${t.one[one]} ${name}`, ...rest.map(formatName)].join(" › ");
}

/** Returns a value as readable text, with one line for each item of a list or object. */
export function valueInWords(field: string, value: unknown): string {
  if (field === "background_audio_volume" && typeof value === "number") return formatShare(value);
  if (field === "redact" && Array.isArray(value)) return value.map((kind) => REDACTED[kind] ?? kind).join("\n");
  return typeof value === "string" ? (CHOICES[field]?.[value] ?? value) : linesOf(value).join("\n");
}

function linesOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "boolean") return [value ? common.yes : common.no];
  if (Array.isArray(value)) return value.flatMap((entry) => indented("- ", linesOf(entry)));
  if (!isObject(value)) return String(value).split("\n");
  return Object.entries(value).flatMap(([name, member]) => {
    const lines = linesOf(member);
    if (lines.length === 0) return [];
    const [first = ""] = lines;
    const isPlain = lines.length === 1 && (member === null || typeof member !== "object");
    return isPlain ? [`${formatName(name)}: ${first}`] : [`${formatName(name)}:`, ...indented("  ", lines)];
  });
}

/** Puts the mark before the first line and indents the others. */
function indented(mark: string, lines: string[]): string[] {
  return lines.map((line, nth) => (nth === 0 ? mark : " ".repeat(mark.length)) + line);
}
