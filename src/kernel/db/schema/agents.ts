import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";
import type { AgentDisclosure } from "./disclosure.ts";

export interface TransferTarget {
  /** The name that the model uses. */
  label: string;
  /** The phone number, E.164. */
  number: string;
  /** Whether calls that no model can answer are transferred to this target. At most one target has it. */
  on_failure?: boolean | undefined;
}

/** How much of an agent's conversations is stored. */
export const STORAGE = ["all", "redacted", "metadata"] as const;
export type Storage = (typeof STORAGE)[number];

export const REDACT_KINDS = ["card", "iban", "email", "phone", "ssn"] as const;
export type RedactKind = (typeof REDACT_KINDS)[number];

/** A question about whether a conversation met a goal. */
export interface AnalysisCriterion {
  name: string;
  instruction: string;
}

export const ANALYSIS_TYPES = ["text", "number", "boolean", "date", "choice"] as const;
export type AnalysisType = (typeof ANALYSIS_TYPES)[number];

/** A value that an analysis looks for in what was said. */
export interface AnalysisField {
  name: string;
  type: AnalysisType;
  description: string;
  /** The allowed values of a choice. */
  choices?: string[] | undefined;
}

/** What the analysis extracts from an agent's conversations after they are complete. */
export interface AnalysisSettings {
  enabled: boolean;
  /** The model that analyzes the conversations; null for the agent's own model. */
  model: string | null;
  summary: boolean;
  criteria: AnalysisCriterion[];
  data: AnalysisField[];
}

export const NO_ANALYSIS: AnalysisSettings = { enabled: false, model: null, summary: true, criteria: [], data: [] };

/** The sentences that the service itself makes an agent say, by use. */
export const PHRASES = [
  "silence",
  "apology",
  "goodbye",
  "filler",
  "budget",
  "unavailable",
  "no_answer",
  "filtered",
  "resumed",
  "time_up",
] as const;
/** An agent's own sentences. Null means the built-in one. */
export type Phrases = Record<(typeof PHRASES)[number], string | null>;
export const NO_PHRASES: Phrases = {
  silence: null,
  apology: null,
  goodbye: null,
  filler: null,
  budget: null,
  unavailable: null,
  no_answer: null,
  filtered: null,
  resumed: null,
  time_up: null,
};

export const VERSIONING = ["auto", "manual"] as const;

export const agents = sqliteTable(
  "agents",
  {
    account: accountRef(),
    id: id(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    category: text("category", { enum: ["customer_support", "sales", "operations", "custom"] }).notNull(),
    status: text("status", { enum: ["draft", "active", "archived"] }).notNull(),
    llm_model: text("llm_model").notNull(),
    /** The model that answers if the first one fails before its first word; null if there is none. */
    fallback_model: text("fallback_model"),
    voice_provider: text("voice_provider", { enum: ["cartesia", "elevenlabs", "deepgram"] }).notNull(),
    voice_id: text("voice_id").notNull(),
    system_prompt: text("system_prompt").notNull(),
    greeting_message: text("greeting_message").notNull(),
    /** The message for answering machines; "" means that the greeting is used. */
    voicemail_message: text("voicemail_message").notNull().default(""),
    greeting_mode: text("greeting_mode", { enum: ["interruptible", "locked"] }).notNull(),
    auth_mode: text("auth_mode", { enum: ["public", "authenticated"] }).notNull(),
    background_audio_enabled: integer("background_audio_enabled", { mode: "boolean" }).notNull(),
    background_audio_volume: real("background_audio_volume").notNull(),
    noise_suppression_enabled: integer("noise_suppression_enabled", { mode: "boolean" }).notNull(),
    ringing_enabled: integer("ringing_enabled", { mode: "boolean" }).notNull(),
    /** The only numbers to which the agent may transfer callers. */
    transfer_targets: text("transfer_targets", { mode: "json" }).$type<TransferTarget[]>().notNull().default([]),
    max_output_tokens: integer("max_output_tokens").notNull().default(1_000),
    /** The silence (ms) after which a filler is spoken while the agent works; 0 turns it off. */
    filler_after_ms: integer("filler_after_ms").notNull().default(1_500),
    /** The IANA time zone of the people with whom the agent talks, unless theirs is known; null for the account's. */
    timezone: text("timezone"),
    /** The language in which conversations begin (BCP 47), and those to which they may change. */
    language: text("language").notNull().default("en-US"),
    languages: text("languages", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Words that speech recognition should expect. */
    key_terms: text("key_terms", { mode: "json" }).$type<string[]>().notNull().default([]),
    phrases: text("phrases", { mode: "json" }).$type<Phrases>().notNull().default(NO_PHRASES),
    storage: text("storage", { enum: STORAGE }).notNull().default("all"),
    redact: text("redact", { mode: "json" })
      .$type<RedactKind[]>()
      .notNull()
      .default([...REDACT_KINDS]),
    analysis: text("analysis", { mode: "json" }).$type<AnalysisSettings>().notNull().default(NO_ANALYSIS),
    /** The agent's disclosure of what it is, before its first word. */
    disclosure: text("disclosure", { mode: "json" }).$type<AgentDisclosure>().notNull().default(sql`'"account"'`),
    /** `auto` makes every change of the draft live at once. `manual` keeps the last published version live. */
    versioning: text("versioning", { enum: VERSIONING }).notNull().default("auto"),
    /** The version that was published last; null if none was. */
    published_version: integer("published_version"),
    template_id: text("template_id"),
    active_prompt_id: text("active_prompt_id"),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("agents_account_created").on(t.account, t.created_at, t.id),
  ],
);

/** Versions of an agent's system prompt. The agent refers to the active one. */
export const agentPrompts = sqliteTable(
  "agent_prompts",
  {
    account: accountRef(),
    id: id(),
    agent_id: text("agent_id").notNull(),
    version: integer("version").notNull(),
    system_prompt: text("system_prompt").notNull(),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("agent_prompts_version").on(t.account, t.agent_id, t.version),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
  ],
);
