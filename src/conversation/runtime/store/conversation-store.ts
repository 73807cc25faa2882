import { hasTable, migrate } from "../../../kernel/durable/migrate.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import { piecesOf } from "../../../kernel/http/plain-text.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { Session } from "../session/snapshot.ts";
import { CONVERSATION_MIGRATIONS } from "./migrations.ts";

/** The conversation's own row. Times are ms. */
export type ConversationRow = {
  id: string;
  /** A SessionIdentity as JSON. */
  identity: string;
  held_by: "edge" | "own" | null;
  started_at: number;
  ended_at: number | null;
  end_reason: string | null;
  heard_at: number;
  quiet_since: number | null;
  asked_whether_there: number;
  lost_at: number | null;
  opt_out: string | null;
  transferred_to: string | null;
  /** Where the carrier was asked to hand the call over to, while it has not said whether it did. */
  transfer_asked: string | null;
  listed: string | null;
  campaign_told: string | null;
  archived: number;
  runs: string | null;
  vouched: number;
  hung_up: number;
  machine: number;
};
type Changes = Partial<Omit<ConversationRow, "id" | "identity" | "started_at">>;

/** An event without its number and time, which the store gives it. */
export type NewEvent = ConversationEvent extends infer E
  ? E extends ConversationEvent
    ? Omit<E, "seq" | "at">
    : never
  : never;

/** An event and its place in the order of arrival. */
export interface LoggedEvent {
  n: number;
  event: ConversationEvent;
}

/** What the agent is saying; `at` is when it began, ms. */
export type OpenTurn = { text: string; at: number };

/** Most characters of a conversation's events, as JSON: one in memory must leave room for others. */
const MAX_CONVERSATION_CHARS = 8_000_000;

/** A row holds 2 MB, and a character is up to 3 bytes of them. */
const PIECE_CHARS = 500_000;

const ERASED_AT = "erased_at";

const NEW = {
  held_by: null,
  ended_at: null,
  end_reason: null,
  quiet_since: null,
  asked_whether_there: 0,
  lost_at: null,
  opt_out: null,
  transferred_to: null,
  transfer_asked: null,
  listed: null,
  campaign_told: null,
  archived: 0,
  runs: null,
  vouched: 0,
  hung_up: 0,
  machine: 0,
} as const;

/**
 * What a conversation's object stores: its row and its events. Both are kept in memory, where a change holds at once;
 * it is written with the next `flush`, at the latest in the next turn of the event loop. So words that are sent and
 * models that are asked do not wait for storage, whose writes hold back whatever is sent after them.
 */
export class ConversationStore {
  readonly #storage: DurableObjectStorage;
  readonly #grown: () => void;
  #row: ConversationRow | null = null;
  #log: LoggedEvent[] = [];
  /** The numbers of its events, the last before the first gap, and the highest. */
  readonly #seqs = new Set<number>();
  #through = 0;
  #mostSeq = 0;
  /** It only grows, also from one conversation of a visitor's to the next: watchers go by it. */
  #lastN = 0;
  #chars = 0;
  #writes: (() => void)[] = [];
  #hasTables = false;
  #session: Session | null = null;

  /** @param grown is told when the log has grown, once that is written */
  constructor(storage: DurableObjectStorage, grown: () => void) {
    this.#storage = storage;
    this.#grown = grown;
    if (!hasTable(storage, "conversation")) return;
    migrate(storage, CONVERSATION_MIGRATIONS, Date.now());
    this.#hasTables = true;
    this.#load();
  }

  #load(): void {
    const { sql } = this.#storage;
    this.#row = sql.exec<ConversationRow>("SELECT * FROM conversation").toArray()[0] ?? null;
    this.#log = sql
      .exec<{ n: number; event: string }>("SELECT n, event FROM events ORDER BY n")
      .toArray()
      .map(({ n, event: text }) => {
        this.#chars += text.length;
        const event = JSON.parse(text) as ConversationEvent;
        this.#number(event.seq);
        return { n, event };
      });
    this.#lastN = this.#log.at(-1)?.n ?? 0;
  }

  #number(seq: number): void {
    this.#seqs.add(seq);
    this.#mostSeq = Math.max(this.#mostSeq, seq);
    while (this.#seqs.has(this.#through + 1)) this.#through++;
  }

  /** Null before the conversation begins, and again once the object is empty. */
  get row(): ConversationRow | null {
    return this.#row;
  }

  /** @throws TypeError where there is none */
  get known(): ConversationRow {
    if (!this.#row) throw new TypeError("there is no conversation here");
    return this.#row;
  }

  /** Its events in the order they arrived. */
  get log(): readonly LoggedEvent[] {
    return this.#log;
  }

  get events(): ConversationEvent[] {
    return this.#log.map(({ event }) => event);
  }

  /** The last number before the first gap. */
  get through(): number {
    return this.#through;
  }

  /** Whether it is longer than one can be kept. */
  get isFull(): boolean {
    return this.#chars > MAX_CONVERSATION_CHARS;
  }

  /** The place of the newest event in the order of arrival, 0 for none. */
  get lastN(): number {
    return this.#lastN;
  }

  begin(
    { id, identity, started_at }: { id: string; identity: SessionIdentity; started_at: number },
    session: Session,
  ): void {
    const who = JSON.stringify(identity);
    const told = JSON.stringify(session);
    this.#row = { ...NEW, id, identity: who, started_at, heard_at: started_at };
    this.#session = session;
    const { sql } = this.#storage;
    this.#write(() => {
      sql.exec(
        "INSERT INTO conversation (one, id, identity, started_at, heard_at) VALUES (1, ?, ?, ?, ?)",
        id,
        who,
        started_at,
        started_at,
      );
      for (const [n, piece] of piecesOf(told, PIECE_CHARS).entries())
        sql.exec("INSERT INTO session_pieces (n, piece) VALUES (?, ?)", n, piece);
    });
  }

  /** Who it is held with: as their first token said. */
  get identity(): SessionIdentity {
    return JSON.parse(this.known.identity) as SessionIdentity;
  }

  /** The session as its runtime was told of it. */
  get session(): Session {
    this.#session ??= this.#readSession();
    return this.#session;
  }

  #readSession(): Session {
    const pieces = this.#storage.sql.exec<{ piece: string }>("SELECT piece FROM session_pieces ORDER BY n");
    return JSON.parse(Array.from(pieces, ({ piece }) => piece).join("")) as Session;
  }

  update(changes: Changes): void {
    const { known } = this;
    const entries = Object.entries(changes).filter(([name, value]) => known[name as keyof Changes] !== value);
    if (entries.length === 0) return;
    this.#row = Object.assign({}, known, Object.fromEntries(entries));
    const assignments = entries.map(([name]) => `${name} = ?`).join(", ");
    const values = entries.map(([, value]) => value);
    this.#write(() => this.#storage.sql.exec(`UPDATE conversation SET ${assignments}`, ...values));
  }

  /** Adds what happened here as the next event; what comes after the end, as a tool's result may, is left out. */
  append(event: NewEvent, at: number): void {
    if (this.#row?.ended_at !== null) return;
    const seq = this.#mostSeq + 1;
    this.#add({ ...event, seq, at: new Date(at).toISOString() } as ConversationEvent);
  }

  /** Adds what happened here beside events that another runtime numbers: under a number that none of them can have. */
  appendBeside(event: NewEvent, at: number): void {
    if (this.#row?.ended_at !== null) return;
    const seq = Math.min(0, ...this.#seqs) - 1;
    this.#add({ ...event, seq, at: new Date(at).toISOString() } as ConversationEvent);
  }

  /** Takes in events that were numbered elsewhere; gives those that are new. */
  take(events: ConversationEvent[]): ConversationEvent[] {
    const fresh: ConversationEvent[] = [];
    for (const event of events) {
      if (this.#seqs.has(event.seq)) continue;
      this.#add(event);
      fresh.push(event);
    }
    return fresh;
  }

  #add(event: ConversationEvent): void {
    const n = ++this.#lastN;
    this.#log.push({ n, event });
    this.#number(event.seq);
    const text = JSON.stringify(event);
    this.#chars += text.length;
    const { sql } = this.#storage;
    this.#write(() => sql.exec("INSERT INTO events (n, seq, event) VALUES (?, ?, ?)", n, event.seq, text));
  }

  /** Of the agent's last turn only so much was heard; nothing where it was answered or cut before. */
  cutLastTurn(heard: string | undefined): void {
    const at = this.#log.findLastIndex(({ event }) => event.type === "agent_turn" || event.type === "user_turn");
    const last = this.#log[at];
    if (last?.event.type !== "agent_turn" || last.event.interrupted) return;
    this.#log.splice(at, 1);
    this.#chars -= JSON.stringify(last.event).length;
    const { sql } = this.#storage;
    this.#write(() => sql.exec("DELETE FROM events WHERE n = ?", last.n));
    // It comes again under its old number, so that watchers are told.
    this.#add({ ...last.event, interrupted: true, ...(heard !== undefined && { heard }) });
  }

  /** What the agent has said so far of the turn that goes on. */
  setOpenTurn({ text, at }: OpenTurn): void {
    if (this.#row?.ended_at !== null) return;
    const { sql } = this.#storage;
    this.#write(() =>
      sql.exec(
        "INSERT INTO open_turn (one, at, text) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
        at,
        text,
      ),
    );
  }

  /** A turn that an earlier life of the object was cut off in. */
  get openTurn(): OpenTurn | null {
    if (!this.#hasTables) return null;
    return this.#storage.sql.exec<OpenTurn>("SELECT text, at FROM open_turn").toArray()[0] ?? null;
  }

  /** The turn that went on is over: from now on it is an event. */
  closeTurn(turn: Extract<NewEvent, { type: "agent_turn" }>, at: number): void {
    const { sql } = this.#storage;
    this.#write(() => sql.exec("DELETE FROM open_turn"));
    this.append(turn, at);
  }

  /** Writes what has changed, all of it or nothing. */
  flush(): void {
    const writes = this.#writes.splice(0);
    if (writes.length === 0) return;
    if (!this.#hasTables) migrate(this.#storage, CONVERSATION_MIGRATIONS, Date.now());
    this.#hasTables = true;
    this.#storage.transactionSync(() => {
      for (const write of writes) write();
    });
    this.#grown();
  }

  #write(write: () => void): void {
    if (this.#writes.length === 0) setTimeout(() => this.flush(), 0);
    this.#writes.push(write);
  }

  /** When (ms) the conversation of this object was erased, null if it was not. */
  get erasedAt(): number | null {
    return this.#storage.kv.get<number>(ERASED_AT) ?? null;
  }

  /** Leaves nothing; with `erasedAt` (ms) it is remembered that something was there, so that nothing late begins it anew. */
  async empty(erasedAt: number | null): Promise<void> {
    this.#writes = [];
    this.#row = null;
    this.#session = null;
    this.#log = [];
    this.#seqs.clear();
    this.#through = 0;
    this.#mostSeq = 0;
    this.#chars = 0;
    this.#hasTables = false;
    await this.#storage.deleteAll();
    if (erasedAt !== null) this.#storage.kv.put(ERASED_AT, erasedAt);
  }
}
