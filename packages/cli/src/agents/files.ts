/**
 * Converts between an agent and its files: `agent.json` with its settings and the names of its attachments, and
 * `prompt.md` with its prompt, so that a change is easy to review.
 */
import type { paths } from "../../../sdk/src/schema.d.ts";
import { usage } from "../kernel/failure.ts";
import { isObject, type Json, type JsonObject, objectsOf, textOf } from "../kernel/json.ts";

export const SETTINGS = "agent.json";
export const PROMPT = "prompt.md";

export interface AgentFiles {
  settings: string;
  prompt: string;
}

export interface AttachedTool {
  tool_name: string;
  enabled: boolean;
  config: Json;
}

/** An agent as described by its files. */
export interface LocalAgent {
  /** Null if the service does not have this agent yet. */
  id: string | null;
  /** The agent's own fields, including the prompt. */
  fields: JsonObject;
  /** Names in order; null if the file has none. */
  faqs: string[] | null;
  playbooks: string[] | null;
  tools: AttachedTool[] | null;
}

/** Fields that the service sets or that have their own place in the files. */
const NOT_FIELDS = new Set([
  ...["id", "active_prompt_id", "published_version", "created_by", "created_at", "updated_at"],
  ...["system_prompt", "faqs", "playbooks", "tools"],
]);

type Settable = NonNullable<paths["/api/v1/agents"]["post"]["requestBody"]>["content"]["application/json"];

/** The fields that a new agent can have. An existing agent may have more if its service is newer. */
const SETTABLE: Record<keyof Settable, true> = {
  name: true,
  description: true,
  category: true,
  status: true,
  llm_model: true,
  fallback_model: true,
  voice_provider: true,
  voice_id: true,
  system_prompt: true,
  greeting_message: true,
  voicemail_message: true,
  greeting_mode: true,
  auth_mode: true,
  background_audio_enabled: true,
  background_audio_volume: true,
  noise_suppression_enabled: true,
  ringing_enabled: true,
  transfer_targets: true,
  max_output_tokens: true,
  filler_after_ms: true,
  timezone: true,
  language: true,
  languages: true,
  key_terms: true,
  phrases: true,
  storage: true,
  redact: true,
  analysis: true,
  disclosure: true,
  versioning: true,
  template_id: true,
};

/** Returns the files of an agent's record, together with the settings of its tools. */
export function toFiles(agent: JsonObject, tools: JsonObject[]): AgentFiles {
  const names = (field: string) => objectsOf(agent, field).map((one) => textOf(one, "name"));
  return render({
    id: textOf(agent, "id"),
    fields: agent,
    faqs: names("faqs"),
    playbooks: names("playbooks"),
    tools: tools.map((tool) => ({
      tool_name: textOf(tool, "tool_name"),
      enabled: tool.enabled === true,
      config: tool.config ?? {},
    })),
  });
}

/** Returns the files of an agent. Equal content always yields the same text. */
export function render({ id, fields, faqs, playbooks, tools }: LocalAgent): AgentFiles {
  const settings: JsonObject = {};
  if (id !== null) settings.id = id;
  for (const [name, value] of Object.entries(fields)) if (!NOT_FIELDS.has(name)) settings[name] = value;
  if (faqs) settings.faqs = faqs;
  if (playbooks) settings.playbooks = playbooks;
  if (tools) {
    settings.tools = tools.map(({ tool_name, enabled, config }): JsonObject => ({ tool_name, enabled, config }));
  }
  const prompt = textOf(fields, "system_prompt");
  // A text file ends with a newline. One is added to the prompt here and removed when the file is read.
  return { settings: `${JSON.stringify(settings, null, 2)}\n`, prompt: prompt === "" ? "" : `${prompt}\n` };
}

/** Parses the files. @throws Failure naming the file and its fault */
export function fromFiles({ settings, prompt }: AgentFiles, where: string): LocalAgent {
  const file = `${where}/${SETTINGS}`;
  let read: unknown;
  try {
    read = JSON.parse(settings);
  } catch (error) {
    throw usage(`${file} is not JSON: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
  if (!isObject(read)) throw usage(`${file} must be a JSON object`);
  if (textOf(read, "name") === "") throw usage(`${file} needs a name`);
  if (read.id !== undefined && textOf(read, "id") === "") throw usage(`${file}: id must be text`);
  const fields: JsonObject = {};
  for (const [name, value] of Object.entries(read)) if (!NOT_FIELDS.has(name)) fields[name] = value;
  const lines = prompt.replaceAll("\r\n", "\n");
  fields.system_prompt = lines.endsWith("\n") ? lines.slice(0, -1) : lines;
  return {
    id: textOf(read, "id") || null,
    fields,
    faqs: namesOf(read, "faqs", file),
    playbooks: namesOf(read, "playbooks", file),
    tools: toolsOf(read, file),
  };
}

function namesOf(read: JsonObject, field: string, file: string): string[] | null {
  const value = read[field];
  if (value === undefined) return null;
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw usage(`${file}: ${field} must be a list of names`);
}

function toolsOf(read: JsonObject, file: string): AttachedTool[] | null {
  const value = read.tools;
  if (value === undefined) return null;
  if (!Array.isArray(value)) throw usage(`${file}: tools must be a list`);
  return value.map((tool) => {
    if (!isObject(tool) || textOf(tool, "tool_name") === "")
      throw usage(`${file}: every entry of tools needs a tool_name`);
    return { tool_name: textOf(tool, "tool_name"), enabled: tool.enabled !== false, config: tool.config ?? {} };
  });
}

/** Fills in the service's values for fields that the files omit, in the service's order. */
export function completed(local: LocalAgent, remote: LocalAgent): LocalAgent {
  const fields: JsonObject = {};
  for (const [name, value] of Object.entries(remote.fields)) fields[name] = local.fields[name] ?? value;
  for (const [name, value] of Object.entries(local.fields)) fields[name] = value;
  return {
    id: remote.id,
    fields,
    faqs: local.faqs ?? remote.faqs,
    playbooks: local.playbooks ?? remote.playbooks,
    tools: local.tools ?? remote.tools,
  };
}

/** Returns the settings in `local` that no agent has. The service would ignore them silently. */
export function unknownFields(local: LocalAgent, remote: LocalAgent | null): string[] {
  return Object.keys(local.fields).filter((name) => !(name in SETTABLE) && !(remote && name in remote.fields));
}

/** Returns the fields whose values differ from `remote`, as the body of a PATCH. */
export function changedFields(local: LocalAgent, remote: LocalAgent): JsonObject {
  const changed: JsonObject = {};
  for (const [name, value] of Object.entries(local.fields)) {
    if (canonical(value) !== canonical(remote.fields[name] ?? null)) changed[name] = value;
  }
  return changed;
}

/** Serializes a value so that equal content has equal text, whatever the order of its fields. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`;
}

/** Returns a folder name for an agent that is not taken yet. */
export function folderFor(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[\p{L}\p{N}]+/gu);
  const base = (words ?? ["agent"]).join("-").slice(0, 60);
  let folder = base;
  for (let n = 2; taken.has(folder); n++) folder = `${base}-${n}`;
  return folder;
}
