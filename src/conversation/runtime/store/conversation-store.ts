import { hasTable, migrate } from "../../../kernel/durable/migrate.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import { piecesOf } from "../../../kernel/http/plain-text.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { Session } from "../session/snapshot.ts";
import { withSources } from "../turns/turn-sources.ts";
import {
  type ConversationRow,
  type LoggedEvent,
  NEW_ROW,
  type NewEvent,
  type OpenTurn,
  type RowChanges,
} from "./conversation-row.ts";
import { EventLog } from "./event-log.ts";
import { CONVERSATION_MIGRATIONS } from "./migrations.ts";
import { RunRows } from "./run-rows.ts";

/** Maximum length of the event log as JSON. A longer one would exhaust the memory that conversations share. */
const MAX_CONVERSATION_CHARS = 8_000_000;

/** A row holds 2 MB, and a character takes up to 3 bytes. */
const PIECE_CHARS = 500_000;

const ERASED_AT = "erased_at";
/** The tables of the one conversation that an object holds. */
const OF_CONVERSATION = ["conversation", "session_pieces", "events", "open_turn", "tool_runs"];

/**
 * Stores a conversation's row and events. Both are kept in memory, where a change applies at once, and are written by
 * the next `flush`, at the latest in the next turn of the event loop. So outgoing words and model requests do not wait
 * for storage, whose writes delay everything sent after them.
 */
export class ConversationStore {
  readonly #storage: DurableObjectStorage;
  readonly #grown: () => void;
  readonly #beforeWrite: () => void;
  readonly runs: RunRows;
  #row: ConversationRow | null = null;
  readonly #log = new EventLog();
  #writes: (() => void)[] = [];
  #hasTables = false;
  #session: Session | null = null;
  #identity: SessionIdentity | null = null;

  /**
   * @param grown is called after a longer log was written
   * @param beforeWrite is called before each write, and may add to it
   */
  constructor(storage: DurableObjectStorage, grown: () => void, beforeWrite: () => void = () => {}) {
    this.#storage = storage;
    this.#grown = grown;
    this.#beforeWrite = beforeWrite;
    this.runs = new RunRows({ sql: storage.sql, write: (write) => this.write(write) });
    if (!hasTable(storage, "conversation")) return;
    migrate(storage, CONVERSATION_MIGRATIONS, Date.now());
    this.#hasTables = true;
    this.#load();
  }

  #load(): void {
    const { sql } = this.#storage;
    this.#row = sql.exec<ConversationRow>("SELECT * FROM conversation").toArray()[0] ?? null;
    this.#log.load(sql.exec<{ n: number; text: string }>("SELECT n, event AS text FROM events ORDER BY n").toArray());
    this.runs.load();
  }

  /** Null before the conversation begins and after it was erased. */
  get row(): ConversationRow | null {
    return this.#row;
  }

  /** @throws TypeError if there is none */
  get existing(): ConversationRow {
    if (!this.#row) throw new TypeError("there is no conversation here");
    return this.#row;
  }

  /** The events in order of arrival. */
  get log(): readonly LoggedEvent[] {
    return this.#log.entries;
  }

  get events(): ConversationEvent[] {
    return this.#log.entries.map(({ event }) => event);
  }

  /** The last reported outcome; null if none was reported. */
  get disposition(): string | null {
    return this.#log.disposition;
  }

  get isStored(): boolean {
    return this.#hasTables;
  }

  /** The last number before the first gap. */
  get through(): number {
    return this.#log.through;
  }

  /** Whether the log exceeds its maximum length. */
  get isFull(): boolean {
    return this.#log.chars > MAX_CONVERSATION_CHARS;
  }

  /** The arrival number of the newest event; 0 for none. */
  get lastN(): number {
    return this.#log.lastN;
  }

  begin(
    {
      id,
      identity,
      started_at,
      address = null,
    }: { id: string; identity: SessionIdentity; started_at: number; address?: string | null },
    session: Session,
  ): void {
    const who = JSON.stringify(identity);
    const sessionJson = JSON.stringify(session);
    this.#row = { ...NEW_ROW, id, identity: who, started_at, last_activity_at: started_at, address };
    this.#session = session;
    this.#identity = null;
    const { sql } = this.#storage;
    this.write(() => {
      sql.exec(
        "INSERT INTO conversation (one, id, identity, started_at, last_activity_at, address) VALUES (1, ?, ?, ?, ?, ?)",
        id,
        who,
        started_at,
        started_at,
        address,
      );
      for (const [n, piece] of piecesOf(sessionJson, PIECE_CHARS).entries())
        sql.exec("INSERT INTO session_pieces (n, piece) VALUES (?, ?)", n, piece);
    });
  }

  /** The other side, as identified by its first token. */
  get identity(): SessionIdentity {
    this.#identity ??= JSON.parse(this.existing.identity) as SessionIdentity;
    return this.#identity;
  }

  /** The session as its runtime received it. */
  get session(): Session {
    this.#session ??= this.#readSession();
    return this.#session;
  }

  #readSession(): Session {
    const pieces = this.#storage.sql.exec<{ piece: string }>("SELECT piece FROM session_pieces ORDER BY n");
    return JSON.parse(Array.from(pieces, ({ piece }) => piece).join("")) as Session;
  }

  update(changes: RowChanges): void {
    const { existing } = this;
    const entries = Object.entries(changes).filter(([name, value]) => existing[name as keyof RowChanges] !== value);
    if (entries.length === 0) return;
    this.#row = Object.assign({}, existing, Object.fromEntries(entries));
    const assignments = entries.map(([name]) => `${name} = ?`).join(", ");
    const values = entries.map(([, value]) => value);
    this.write(() => this.#storage.sql.exec(`UPDATE conversation SET ${assignments}`, ...values));
  }

  /**
   * Appends an event and returns its `seq`; null if it is not accepted. After the end only tool results are accepted.
   */
  append(event: NewEvent, at: number): number | null {
    if (!this.#takes(event)) return null;
    const seq = this.#log.nextSeq;
    this.#add({ ...event, seq, at: new Date(at).toISOString() } as ConversationEvent);
    return seq;
  }

  /** Appends the service's own event while another runtime numbers the others: negative numbers don't collide with its. */
  appendBeside(event: NewEvent, at: number): void {
    if (!this.#takes(event)) return;
    const seq = this.#log.seqBeside;
    this.#add({ ...event, seq, at: new Date(at).toISOString() } as ConversationEvent);
  }

  #takes({ type }: NewEvent): boolean {
    if (this.#row === null || (this.#row.ended_at !== null && type !== "tool_result")) return false;
    // An existing archive lacks this event.
    if (this.#row.ended_at !== null) this.update({ archived: 0 });
    return true;
  }

  /** Stores events numbered by another runtime; returns the new ones. */
  take(events: ConversationEvent[]): ConversationEvent[] {
    const fresh: ConversationEvent[] = [];
    for (const event of events) {
      if (this.#log.has(event.seq)) continue;
      this.#add(event);
      fresh.push(event);
    }
    return fresh;
  }

  #add(reported: ConversationEvent): void {
    const event = withSources(reported, this.#log.entries, this.session.snapshot.documents);
    const { n, text } = this.#log.add(event);
    const { sql } = this.#storage;
    this.write(() => sql.exec("INSERT INTO events (n, seq, event) VALUES (?, ?, ?)", n, event.seq, text));
  }

  /** Marks the agent's turn of this number as interrupted; `heard` is the part that was heard, null if unknown. */
  cutTurn(seq: number, heard: string | null): void {
    if (this.#row?.ended_at !== null) return;
    const turn = this.#log.removeTurn(seq);
    if (turn === null) return;
    const { sql } = this.#storage;
    this.write(() => sql.exec("DELETE FROM events WHERE n = ?", turn.n));
    // Logged again under its old `seq`, so that watchers receive the change.
    this.#add(Object.assign({}, turn.event, { interrupted: true }, heard === null ? null : { heard }));
  }

  /** Saves the text so far of the unfinished turn. */
  setOpenTurn({ text, at }: OpenTurn): void {
    if (this.#row?.ended_at !== null) return;
    const { sql } = this.#storage;
    this.write(() =>
      sql.exec(
        "INSERT INTO open_turn (one, at, text) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
        at,
        text,
      ),
    );
  }

  /** The turn that was unfinished when the object last stopped. */
  get openTurn(): OpenTurn | null {
    if (!this.#hasTables) return null;
    return this.#storage.sql.exec<OpenTurn>("SELECT text, at FROM open_turn").toArray()[0] ?? null;
  }

  /** Replaces the unfinished turn by its event; returns the event's `seq`, null if it is not accepted. */
  closeTurn(turn: Extract<NewEvent, { type: "agent_turn" }>, at: number): number | null {
    const { sql } = this.#storage;
    this.write(() => sql.exec("DELETE FROM open_turn"));
    return this.append(turn, at);
  }

  /** Writes all pending changes in one transaction. */
  flush(): void {
    this.#beforeWrite();
    const writes = this.#writes.splice(0);
    if (writes.length === 0) return;
    this.prepare();
    this.#storage.transactionSync(() => {
      for (const write of writes) write();
    });
    this.#grown();
  }

  /** Creates the tables of an empty object for an analysis. */
  prepare(): void {
    if (!this.#hasTables) migrate(this.#storage, CONVERSATION_MIGRATIONS, Date.now());
    this.#hasTables = true;
  }

  /** Whether an analysis is running, which keeps the object alive. */
  get #hasAnalyses(): boolean {
    return this.#hasTables && this.#storage.sql.exec("SELECT 1 FROM analyses LIMIT 1").toArray().length > 0;
  }

  #emptyTables(): void {
    this.#storage.transactionSync(() => {
      for (const table of OF_CONVERSATION) this.#storage.sql.exec(`DELETE FROM ${table}`);
    });
    this.#storage.kv.delete(ERASED_AT);
  }

  /** Schedules a write for the next `flush`. */
  write(write: () => void): void {
    if (this.#writes.length === 0) setTimeout(() => this.flush(), 0);
    this.#writes.push(write);
  }

  /** When (ms) the conversation of this object was erased, null if it was not. */
  get erasedAt(): number | null {
    return this.#storage.kv.get<number>(ERASED_AT) ?? null;
  }

  /**
   * Deletes everything except running analyses. `erasedAt` (ms) is kept, so that late events do not recreate the
   * conversation.
   */
  async empty(erasedAt: number | null): Promise<void> {
    this.#writes = [];
    this.#row = null;
    this.#session = null;
    this.#identity = null;
    this.#log.clear();
    this.runs.clear();
    if (this.#hasAnalyses) this.#emptyTables();
    else {
      this.#hasTables = false;
      await this.#storage.deleteAll();
    }
    if (erasedAt !== null) this.#storage.kv.put(ERASED_AT, erasedAt);
  }
}
