import type { SessionIdentity } from "../../../kernel/http/context.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { Session } from "../../runtime/session/snapshot.ts";
import {
  type ConversationRow,
  type LoggedEvent,
  NEW_ROW,
  type NewEvent,
  type RowChanges,
} from "../../runtime/store/conversation-row.ts";
import { RunRows } from "../../runtime/store/run-rows.ts";
import type { TalkStore } from "../../runtime/store/talk-store.ts";
import { withSources } from "../../runtime/turns/turn-sources.ts";

interface Dependencies {
  /** The lease under which the conversation is charged. */
  id: string;
  identity: SessionIdentity;
  session: Session;
  sql: SqlStorage;
  /** Stores what must survive a restart, before any request that depends on it is sent. */
  keep(use: TalkUse): void;
}

/** A test conversation's model usage, and whether a tool may have changed something. */
export interface TalkUse extends Pick<ConversationRow, "input_tokens" | "output_tokens" | "requests" | "open_request"> {
  acted: boolean;
}

/** The conversation of a test. It exists only in memory, except for its usage, which must always be settled. */
export class MemoryStore implements TalkStore {
  readonly identity: SessionIdentity;
  readonly session: Session;
  readonly runs: RunRows;
  readonly #keep: Dependencies["keep"];
  readonly #log: LoggedEvent[] = [];
  #row: ConversationRow;

  constructor({ id, identity, session, sql, keep }: Dependencies) {
    this.identity = identity;
    this.session = session;
    // Runs are not stored. Only whether a tool may have changed something is, because such a test is not repeated.
    this.runs = new RunRows({ sql, write: () => {} });
    this.#keep = keep;
    this.#row = Object.assign({}, NEW_ROW, {
      id,
      identity: JSON.stringify(identity),
      held_by: "edge" as const,
      started_at: identity.issued_at,
      last_activity_at: identity.issued_at,
    });
  }

  get row(): ConversationRow {
    return this.#row;
  }

  get existing(): ConversationRow {
    return this.#row;
  }

  get log(): readonly LoggedEvent[] {
    return this.#log;
  }

  get events(): ConversationEvent[] {
    return this.#log.map(({ event }) => event);
  }

  update(changes: RowChanges): void {
    this.#row = Object.assign({}, this.#row, changes);
    this.#kept();
  }

  append(event: NewEvent, at: number): number {
    const n = this.#log.length + 1;
    const logged = Object.assign({}, event, { seq: n, at: new Date(at).toISOString() });
    this.#log.push({ n, event: withSources(logged, this.#log, this.session.snapshot.documents) });
    return n;
  }

  appendBeside(event: NewEvent, at: number): void {
    this.append(event, at);
  }

  /** Stores the use before a tool runs. */
  flush(): void {
    this.#kept();
  }

  #kept(): void {
    const { input_tokens, output_tokens, requests, open_request } = this.#row;
    const acted = this.runs.all.some(({ effect, started_at }) => effect === "write" && started_at !== null);
    this.#keep({ input_tokens, output_tokens, requests, open_request, acted });
  }
}
