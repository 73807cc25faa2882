import { z } from "zod";
import type { Author } from "../../kernel/db/account-store.ts";
import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { type Counts, difference, NONE, sumOf } from "../../kernel/erasure/counts.ts";
import type { TraceKind } from "../../kernel/erasure/sweep.ts";
import type { Subject } from "../../kernel/personal-data.ts";
import { PROVIDERS } from "../../phone/carriers/carrier.ts";
import type { CarrierRecording, StepResult } from "./step.ts";

const JOB = `
  -- Times are ms; subject, author, cursor and counts are JSON.
  CREATE TABLE job (
    n INTEGER PRIMARY KEY CHECK (n = 0),
    -- Null once nothing about the person is left.
    subject TEXT,
    author TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    completed_at INTEGER,
    counts TEXT NOT NULL,
    -- Whether D1 lists the erasure; the revision of the receipt, raised by each change, and the last one that D1 has.
    recorded INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1, published INTEGER NOT NULL DEFAULT 0,
    -- The next step, its cursor, and when it is due.
    step TEXT NOT NULL, cursor TEXT NOT NULL DEFAULT 'null', due_at INTEGER NOT NULL,
    -- The number of waits in a row, and 1 if this round found anything.
    waits INTEGER NOT NULL DEFAULT 0, found INTEGER NOT NULL DEFAULT 0,
    round INTEGER NOT NULL DEFAULT 1
  );
  -- The last totals of objects that count by themselves; only the difference is added.
  CREATE TABLE counted (source TEXT PRIMARY KEY, counts TEXT NOT NULL) WITHOUT ROWID;
  -- What identifies the person in stores that no other row leads to.
  CREATE TABLE traces (kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE TABLE carrier_recordings (
    call_id TEXT NOT NULL, source_id TEXT NOT NULL, provider TEXT NOT NULL, credentials_id TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (call_id, source_id)
  ) WITHOUT ROWID;
`;

export const ERASURE_MIGRATIONS: readonly Migration[] = [firstStep(JOB)];

const subject = z.union([
  z.object({ phone_number: z.string() }),
  z.object({ visitor_id: z.string() }),
  z.object({ conversation_id: z.string() }),
]);
const counts = z.partialRecord(z.string(), z.number()).transform((stored): Counts => sumOf(stored, {}));
const author = z.object({ actor: z.string(), name: z.string().optional(), request_id: z.string() });

const COUNTED: Record<TraceKind, keyof Counts> = {
  call: "calls",
  conversation: "conversations",
  recording: "recordings",
};

/** The state of an erasure. */
export interface Job {
  subject: Subject | null;
  author: Author;
  created_at: number;
  completed_at: number | null;
  counts: Counts;
  isRecorded: boolean;
  revision: number;
  /** Whether D1 has this revision. */
  isPublished: boolean;
  step: string;
  cursor: unknown;
  due_at: number;
  waits: number;
  /** Whether the current round has found anything so far. */
  found: boolean;
  /** The number of rounds through all steps, including the current one. */
  round: number;
}

/** The position from which a job continues. */
export type Onwards = Pick<Job, "step" | "cursor" | "due_at" | "waits" | "found" | "round">;

type JobRow = Record<"author" | "counts" | "step" | "cursor", string> &
  Record<"created_at" | "recorded" | "revision" | "published" | "due_at" | "waits" | "found" | "round", number> & {
    subject: string | null;
    completed_at: number | null;
  };

/** The tables of an erasure. */
export class JobStore {
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;

  constructor(storage: Pick<DurableObjectStorage, "sql" | "transactionSync">) {
    this.#storage = storage;
  }

  begin(of: Subject, by: Author, step: string, now: number): void {
    this.#storage.sql.exec(
      `INSERT OR IGNORE INTO job (n, subject, author, created_at, counts, step, due_at) VALUES (0, ?1, ?2, ?3, ?4, ?5, ?3)`,
      JSON.stringify(of),
      JSON.stringify(by),
      now,
      JSON.stringify(NONE),
      step,
    );
  }

  get job(): Job | null {
    const [row] = this.#storage.sql.exec<JobRow>("SELECT * FROM job").toArray();
    if (!row) return null;
    const { created_at, completed_at, due_at, waits, step, round } = row;
    const by = author.parse(JSON.parse(row.author));
    return {
      subject: row.subject === null ? null : subject.parse(JSON.parse(row.subject)),
      author:
        by.name === undefined ? { actor: by.actor, request_id: by.request_id } : Object.assign(by, { name: by.name }),
      created_at,
      completed_at,
      counts: counts.parse(JSON.parse(row.counts)),
      isRecorded: row.recorded === 1,
      revision: row.revision,
      isPublished: row.published >= row.revision,
      step,
      cursor: JSON.parse(row.cursor),
      due_at,
      waits,
      found: row.found === 1,
      round,
    };
  }

  recorded(): void {
    this.#storage.sql.exec("UPDATE job SET recorded = 1");
  }

  /** Records that D1 has this receipt's revision. */
  published({ revision }: Pick<Job, "revision">): void {
    this.#storage.sql.exec("UPDATE job SET published = max(published, ?)", revision);
  }

  /** Stores the result of a step's run and the next position, in one transaction. */
  note(before: Job, result: Omit<StepResult, "next">, onwards: Onwards): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      const seen = (result.traces ?? []).map(({ kind, id }) => {
        const isNew =
          sql.exec("INSERT OR IGNORE INTO traces VALUES (?, ?) RETURNING id", kind, id).toArray().length > 0;
        return isNew ? { [COUNTED[kind]]: 1 } : {};
      });
      for (const { call_id, source_id, provider, credentials_id } of result.found ?? [])
        sql.exec(
          "INSERT OR IGNORE INTO carrier_recordings (call_id, source_id, provider, credentials_id) VALUES (?, ?, ?, ?)",
          call_id,
          source_id,
          provider,
          credentials_id,
        );
      const ofRecording = "WHERE call_id = ? AND source_id = ?";
      for (const { call_id, source_id } of result.settled ?? [])
        sql.exec(`DELETE FROM carrier_recordings ${ofRecording}`, call_id, source_id);
      for (const { call_id, source_id } of result.tried ?? [])
        sql.exec(`UPDATE carrier_recordings SET tries = tries + 1 ${ofRecording}`, call_id, source_id);
      const gained = [result.counts ?? {}, this.#gained(result.absolute), ...seen];
      const total = gained.reduce<Counts>((sum, one) => sumOf(sum, one), before.counts);
      const { step, cursor, due_at, waits, found, round } = onwards;
      sql.exec(
        "UPDATE job SET counts = ?, revision = revision + 1, step = ?, cursor = ?, due_at = ?, waits = ?, found = ?, round = ?",
        JSON.stringify(total),
        step,
        JSON.stringify(cursor),
        due_at,
        waits,
        Number(found),
        round,
      );
    });
  }

  /** Returns the part of the counts that was not counted before. Runs within a transaction. */
  #gained(absolute: StepResult["absolute"]): Partial<Counts> {
    if (!absolute) return {};
    const { sql } = this.#storage;
    const { of, counts: now } = absolute;
    const [row] = sql.exec<{ counts: string }>("SELECT counts FROM counted WHERE source = ?", of).toArray();
    sql.exec("INSERT OR REPLACE INTO counted VALUES (?, ?)", of, JSON.stringify(now));
    return difference(now, row ? counts.parse(JSON.parse(row.counts)) : {});
  }

  /** Completes the erasure, and deletes the person's identifiers from this object. */
  complete(now: number): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec("UPDATE job SET subject = NULL, cursor = 'null', completed_at = ?, revision = revision + 1", now);
      sql.exec("DELETE FROM traces");
      sql.exec("DELETE FROM counted");
      sql.exec("DELETE FROM carrier_recordings");
    });
  }

  traces(kind: TraceKind, after = "", limit = -1): string[] {
    return this.#storage.sql
      .exec<{ id: string }>("SELECT id FROM traces WHERE kind = ? AND id > ? ORDER BY id LIMIT ?", kind, after, limit)
      .toArray()
      .map(({ id }) => id);
  }

  /** Returns recordings that carriers must still delete, the least often tried first. */
  carrierRecordings(limit: number): (CarrierRecording & { tries: number })[] {
    return this.#storage.sql
      .exec("SELECT * FROM carrier_recordings ORDER BY tries, call_id, source_id LIMIT ?", limit)
      .toArray()
      .map((row) => recording.parse(row));
  }
}

const recording = z.object({
  call_id: z.string(),
  source_id: z.string(),
  provider: z.enum(PROVIDERS),
  credentials_id: z.string().nullable(),
  tries: z.number(),
});
