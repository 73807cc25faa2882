import { CATALOG } from "../../../../src/agent/catalog/index.ts";
import type { CatalogTemplate } from "../../../../src/agent/catalog/types.ts";
import type {
  ModelMessage,
  ModelPart,
  ModelTool,
  ToolCall,
} from "../../../../src/conversation/runtime/models/model.ts";
import { scriptedModel } from "../../../../src/conversation/runtime/models/scripted.ts";
import type { SessionSnapshot } from "../../../../src/conversation/runtime/session/session.ts";
import { NO_PHRASES } from "../../../../src/kernel/db/schema/index.ts";

export const TRANSFER_LABEL = "Front desk";
export const CALLER = "+13035550123";

/** The runtime's own tools as it offers them. */
export const builtIn: ModelTool[] = [
  { name: "opt_out", description: "The caller is not to be called again.", parameters: schema({}) },
  { name: "end_call", description: "Hang up.", parameters: schema({ reason: { type: "string" } }) },
  {
    name: "transfer_call",
    description: "Put the caller through.",
    parameters: schema({ label: { type: "string", enum: [TRANSFER_LABEL] } }, ["label"]),
  },
  {
    name: "set_disposition",
    description: "How the call went.",
    parameters: schema({ value: { type: "string" }, note: { type: "string" } }, ["value"]),
  },
];

export function schema(properties: Record<string, unknown>, required: string[] = []): Record<string, unknown> {
  return { type: "object", properties, required, additionalProperties: false };
}

export const withoutTransfer = builtIn.filter(({ name }) => name !== "transfer_call");

/** Describes a catalog tool as a model sees it. */
export function shipped(name: string): ModelTool {
  const found = CATALOG.tools.find((tool) => tool.name === name);
  if (!found) throw new TypeError(`no tool ${name}`);
  return { name, description: found.description, parameters: found.schema };
}

/** Returns the session of a template's agent, on an outbound call by default. */
export function session(template: string, change: Partial<SessionSnapshot> = {}): SessionSnapshot {
  const found = CATALOG.templates.find(({ name }) => name === template);
  if (!found) throw new TypeError(`no template ${template}`);
  return Object.assign(snapshotOf(found), change);
}

function snapshotOf(template: CatalogTemplate): SessionSnapshot {
  const { name, llm_model, voice_provider, voice_id, system_prompt, greeting_message, playbooks } = template;
  const existing = template.knowledge_items.map(({ faq }) => faq);
  return {
    session_id: "019aa3b7-0000-7000-8000-000000000001",
    kind: "call",
    account: "acme",
    expires_at: "2026-12-01T12:00:00.000Z",
    call: {
      id: "019aa3b7-0000-7000-8000-000000000002",
      direction: "outbound",
      from_number: "+13035550100",
      to_number: CALLER,
      provider: "sandbox",
      campaign_id: null,
      contact_id: null,
    },
    disclosure: null,
    visitor: null,
    agent: {
      id: "019aa3b7-0000-7000-8000-000000000003",
      version: 1,
      name,
      fallback_model: null,
      llm_model,
      voice_provider,
      voice_id,
      system_prompt,
      greeting_message,
      greeting_mode: "interruptible",
      background_audio_enabled: false,
      background_audio_volume: 0,
      noise_suppression_enabled: false,
      ringing_enabled: false,
      transfer_targets: [],
      max_output_tokens: 1_000,
      filler_after_ms: 1_500,
      language: "en-US",
      languages: [],
      key_terms: [],
      phrases: NO_PHRASES,
      storage: "all",
      redact: [],
      prompt_id: null,
    },
    timezone: "UTC",
    local_time: { date: "2026-12-01", weekday: "Tuesday", time: "11:00" },
    variables: { first_name: "Ava", account_name: "Acme Dental" },
    missing_variables: [],
    playbooks: CATALOG.playbooks.filter((playbook) => playbooks.includes(playbook.name)),
    faqs: CATALOG.faqs.filter((faq) => existing.includes(faq.name)),
    documents: [],
    left_out: [],
    tools: [],
    unavailable_tools: [],
    limits: { max_duration_s: 600 },
  };
}

/** The content of an answer. */
export interface ScriptedAnswer {
  text: string;
  pieces: string[];
  calls: ToolCall[];
  parts: ModelPart[];
}

/** Returns a tool's result as the model gets it. */
export type ToolServer = (call: ToolCall) => string;

const allWell: ToolServer = () => "{}";

/** The number of rounds in one turn after which a conversation counts as endless. */
const MOST_ROUNDS = 8;

/** A person who talks to an agent, with a turn loop that runs the tools. */
export class Conversation {
  readonly messages: ModelMessage[] = [];
  readonly calls: ToolCall[] = [];
  readonly #model;
  readonly #tools: ModelTool[];
  readonly #serve: ToolServer;

  constructor(snapshot: SessionSnapshot, tools: ModelTool[] = builtIn, serve: ToolServer = allWell) {
    this.#model = scriptedModel(snapshot);
    this.#tools = tools;
    this.#serve = serve;
    if (snapshot.agent.greeting_message !== "") {
      this.messages.push({ role: "agent", text: snapshot.agent.greeting_message, tool_calls: [] });
    }
  }

  /** Takes one turn; returns the answer and the tools used. @throws Error if it does not end */
  async say(text: string): Promise<{ text: string; used: string[] }> {
    this.messages.push({ role: "user", text });
    const words: string[] = [];
    const used: string[] = [];
    for (let round = 0; ; round++) {
      if (round === MOST_ROUNDS) throw new Error(`it goes on calling tools: ${used.join(", ")}`);
      const answer = await this.answer();
      this.messages.push({ role: "agent", text: answer.text, tool_calls: answer.calls });
      if (answer.text !== "") words.push(answer.text);
      if (answer.calls.length === 0) return { text: words.join(" "), used };
      for (const call of answer.calls) {
        used.push(call.name);
        this.calls.push(call);
        this.messages.push({ role: "tool", tool_call_id: call.id, name: call.name, text: this.#serve(call) });
        if (call.name === "end_call") return { text: words.join(" "), used };
      }
    }
  }

  /** Returns the model's answer to the current conversation. */
  async answer(tools: ModelTool[] = this.#tools, signal = new AbortController().signal): Promise<ScriptedAnswer> {
    const result: ScriptedAnswer = { text: "", pieces: [], calls: [], parts: [] };
    const request = {
      system: "You are a secret.",
      facts: "",
      messages: this.messages,
      tools,
      max_output_tokens: 1_000,
      signal,
    };
    for await (const part of this.#model.answer(request)) {
      result.parts.push(part);
      if (part.type === "text") result.pieces.push(part.text);
      else if (part.type === "tool_call") result.calls.push(part.call);
    }
    result.text = result.pieces.join("");
    return result;
  }

  /** Returns the arguments of a tool's last use. */
  argsOf(name: string): Record<string, unknown> | null | undefined {
    return this.calls.findLast((call) => call.name === name)?.arguments;
  }
}
