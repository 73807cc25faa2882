import type { AnalysisSettings, integrationInstalls, RedactKind } from "../../../kernel/db/schema/index.ts";
import type { AnalysisStatus, Findings } from "../../../records/analysis/analysis.ts";

/** What to analyze, as decided when the analysis was requested. */
export interface AnalysisJob {
  /** The request that asked for it; null if none did. */
  operation: string | null;
  settings: AnalysisSettings;
  /** The agent's model; the settings may name another. */
  llm_model: string;
  fallback_model: string | null;
  /** The account's installed model providers, with sealed secrets. */
  installs: (typeof integrationInstalls.$inferSelect)[];
  /** The kinds to redact, if the conversation is stored redacted. */
  redact: RedactKind[];
  agent_id: string;
  campaign_id: string | null;
  call_id: string | null;
  api_key_id: string | null;
  /** ISO 8601, UTC. */
  started_at: string;
  disposition: string | null;
  end_reason: string | null;
}

/** The result of an analysis, once it is final. */
export interface AnalysisOutcome {
  status: Exclude<AnalysisStatus, "pending">;
  reason: string | null;
  findings: Findings;
  /** ISO 8601. */
  ended_at: string;
}

/** An analysis in progress. Times are ms. */
export type JobRow = {
  conversation_id: string;
  /** The number of the conversation's analysis, from 1. */
  run: number;
  job: AnalysisJob;
  /** The model of the last request; null before the first. */
  model: string | null;
  /** The number of requests, each counted before it is sent. */
  tries: number;
  /** Why the last request failed. */
  fault: string | null;
  next_at: number;
  /** The most tokens that the request in progress may count; null if there is none. */
  open_request: number | null;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** The part of the tokens that the first request used: the fallback model answers the later ones, if there is one. */
  first_input_tokens: number;
  first_cached_tokens: number;
  first_output_tokens: number;
  requests: number;
  /** How often it was reported to the ledger. */
  revision: number;
  outcome: AnalysisOutcome | null;
};
export type JobChanges = Partial<Omit<JobRow, "conversation_id" | "run" | "job">>;

type Stored = Omit<JobRow, "job" | "outcome"> & { job: string; outcome: string | null };

/** The table of analyses in a conversation's object. */
export const ANALYSES = `
  -- Analyses in progress: of the object's conversation, or of an earlier one of the same visitor. Times are ms.
  CREATE TABLE analyses (
    conversation_id TEXT PRIMARY KEY,
    run INTEGER NOT NULL,
    -- JSON of an AnalysisJob
    job TEXT NOT NULL,
    model TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    fault TEXT,
    next_at INTEGER NOT NULL,
    open_request INTEGER,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    first_input_tokens INTEGER NOT NULL DEFAULT 0,
    first_cached_tokens INTEGER NOT NULL DEFAULT 0,
    first_output_tokens INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0,
    -- the result until it is delivered: JSON of an AnalysisOutcome
    outcome TEXT
  );
`;

/** The analyses of an object in progress. */
export class JobRows {
  readonly #sql: SqlStorage;
  readonly #exists: () => boolean;

  /** @param exists whether the object has tables */
  constructor(sql: SqlStorage, exists: () => boolean) {
    this.#sql = sql;
    this.#exists = exists;
  }

  get isStored(): boolean {
    return this.#exists();
  }

  get all(): JobRow[] {
    if (!this.#exists()) return [];
    return this.#sql.exec<Stored>("SELECT * FROM analyses ORDER BY next_at, conversation_id").toArray().map(read);
  }

  get(conversation_id: string): JobRow | null {
    if (!this.#exists()) return null;
    const [row] = this.#sql.exec<Stored>("SELECT * FROM analyses WHERE conversation_id = ?", conversation_id).toArray();
    return row ? read(row) : null;
  }

  add({ conversation_id, run, next_at, job }: Pick<JobRow, "conversation_id" | "run" | "next_at" | "job">): void {
    this.#sql.exec(
      "INSERT INTO analyses (conversation_id, run, next_at, job) VALUES (?, ?, ?, ?)",
      conversation_id,
      run,
      next_at,
      JSON.stringify(job),
    );
  }

  /** Changes an analysis, unless it was deleted. */
  update(conversation_id: string, changes: JobChanges): void {
    const entries = Object.entries(changes);
    const values = entries.map(([name, value]) =>
      name === "outcome" && value !== null ? JSON.stringify(value) : value,
    );
    this.#sql.exec(
      `UPDATE analyses SET ${entries.map(([name]) => `${name} = ?`).join(", ")} WHERE conversation_id = ?`,
      ...(values as SqlStorageValue[]),
      conversation_id,
    );
  }

  remove(conversation_id: string): void {
    if (this.#exists()) this.#sql.exec("DELETE FROM analyses WHERE conversation_id = ?", conversation_id);
  }
}

function read({ job, outcome, ...row }: Stored): JobRow {
  return Object.assign(row, {
    job: JSON.parse(job) as AnalysisJob,
    outcome: outcome === null ? null : (JSON.parse(outcome) as AnalysisOutcome),
  });
}
