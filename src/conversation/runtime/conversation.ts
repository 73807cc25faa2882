import { accountStore } from "../../kernel/durable/account-stores.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import type { OptionalSecrets, OwnRuntime } from "../../kernel/http/context.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { conflict } from "../../kernel/http/errors.ts";
import { ObservedObject, withinFetch } from "../../kernel/observing/observed-object.ts";
import type { Speaker } from "../../phone/calls/relay-settings.ts";
import type { ConversationEvent } from "../../records/conversations/events.ts";
import type { ConversationDetail } from "../../records/conversations/record.ts";
import { timingOf } from "../../records/conversations/timing.ts";
import type { ConversationRow } from "../../records/ledger/report.ts";
import { beginAgain } from "./analysis/begin-analysis.ts";
import { bytesOf } from "./budget/request-size.ts";
import { CLIENT_ADDRESS, SIGNED } from "./client-sockets.ts";
import { conversationParts } from "./conversation-parts.ts";
import { TRANSFERRED } from "./handover.ts";
import type { SessionSnapshot } from "./session/session.ts";
import { sessionEnded } from "./session/session-door.ts";
import { whereCallerIs } from "./session/where-caller-is.ts";
import type { GivenSpeech } from "./speech/agent-speech.ts";
import { shownDetail } from "./streams/projection.ts";
import { takeEvents } from "./take-events.ts";
import type { ToolUseResult } from "./tools/tool-run-log.ts";
import { BUDGET } from "./turns/turn-loop.ts";

/**
 * The object of one conversation, named `account/key`. The key is the call's id, the id of the visitor's sign-in, or
 * the test's own id. The object stores the conversation while it is live, for both built-in and custom runtimes. When
 * the conversation has ended, the object archives it in R2, reports it to the account's ledger and is then empty again.
 */
export class Conversation extends ObservedObject<Env & OptionalSecrets> {
  readonly #parts = conversationParts(
    this.ctx,
    () => this.env,
    () => this.frame.arm(),
  );
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    holds: () => true,
    build: () => this.#parts,
    parts: ({ upkeep }) => ({ upkeep }),
    report: this.#parts.report,
  });
  /** The key of the object that holds the conversation with this object's id, until the conversation is listed. */
  #holder: string | null = null;

  constructor(ctx: DurableObjectState, env: Env & OptionalSecrets) {
    super(ctx, env);
    const { store, budget, tools, edge } = this.#parts;
    if (store.row === null) return;
    const cut = store.openTurn;
    // The object was restarted while its agent spoke: these words were sent, so they are charged.
    budget.resume(bytesOf(cut?.text ?? ""));
    if (cut) store.closeTurn({ type: "agent_turn", text: cut.text, interrupted: true }, cut.at);
    tools.closeOpen();
    if (store.row.held_by === "edge" && store.row.ended_at === null && !edge.connected) {
      if (store.row.lost_at === null) edge.lost();
      store.update({ lost_at: store.row.lost_at ?? Date.now(), quiet_since: null });
    }
  }

  /** Returns the session's snapshot, which the first request creates. @throws ApiError 403 if the session has ended */
  async session(runtime: OwnRuntime): Promise<SessionSnapshot> {
    const { door, store } = this.#parts;
    await door.openForRuntime(runtime);
    const { snapshot } = store.session;
    store.flush();
    return { ...snapshot, expires_at: new Date(runtime.session.expires_at).toISOString() };
  }

  async takeEvents(runtime: OwnRuntime, events: ConversationEvent[]): Promise<number> {
    return takeEvents(this.#parts, { runtime, events });
  }

  async end(reason: string): Promise<void> {
    await this.#parts.ending.end(reason);
  }

  /** Runs a tool of the session for its runtime. @throws ApiError */
  async useTool(
    runtime: OwnRuntime,
    name: string,
    toolCallId: string | null,
    args: Record<string, unknown>,
  ): Promise<ToolUseResult> {
    const { door, store, tools, lease, upkeep } = this.#parts;
    await door.openForRuntime(runtime);
    if (store.existing.ended_at !== null) throw sessionEnded();
    store.update({ last_activity_at: Date.now() });
    try {
      return await tools.use(name, toolCallId, args);
    } finally {
      lease.renew();
      await upkeep.arm();
    }
  }

  /** Transfers the caller of this session's call for a runtime. @throws ApiError */
  async transfer(runtime: OwnRuntime, toNumber: string, requestId: string): Promise<void> {
    const { door, store, handover, ending, name } = this.#parts;
    await door.openForRuntime(runtime);
    store.flush();
    const { session } = runtime;
    if (session.kind !== "call") throw conflict("transfer_unsupported", "there is no call to transfer");
    const author = { actor: `runtime:${session.call_id}`, request_id: requestId };
    await handover.give(toNumber, accountStore(this.env, name.account, author));
    await ending.end(TRANSFERRED);
  }

  /** Checks whether the session's runtime may hang up. @throws ApiError 403; 409 if the caller was transferred */
  async mayHangUp(runtime: OwnRuntime): Promise<void> {
    await this.session(runtime);
    if (this.#parts.store.existing.transferred_to === null) return;
    throw conflict("already_transferred", "the caller was transferred, and the call continues without this session");
  }

  async machineAnswered(): Promise<void> {
    this.#parts.ending.machineAnswered();
  }

  async callEnded(answeredBy: "machine" | null = null): Promise<void> {
    await this.#parts.ending.callEnded(answeredBy);
  }

  /**
   * Ends the conversation with this id because its budget is used up. Null ends any conversation, because the budget of
   * its call is used up. The answer in progress is still completed.
   */
  async endForBudget(id: string | null): Promise<void> {
    const { budget, edge, ending, store } = this.#parts;
    const { row } = store;
    if (row === null || (id !== null && row.id !== id) || row.ended_at !== null) return;
    budget.revoke();
    if (row.held_by === "edge") await edge.leaveForBudget();
    else await ending.end(BUDGET);
  }

  /** Returns the audio of a part in the agent's own voice. @throws ApiError 403, 429 */
  async giveSpeech(id: string): Promise<GivenSpeech> {
    return this.#parts.speech.give(id);
  }

  /** Records the end of a part that was fetched; see `AgentSpeech.ended`. */
  async speechOver(n: number, isSpoken: boolean): Promise<void> {
    await this.#parts.speech.ended(n, isSpoken);
    await this.#parts.upkeep.arm();
  }

  async whereCallerIs(): Promise<"handed_over" | "over" | Speaker | null> {
    return whereCallerIs(this.#parts.store);
  }

  /**
   * Remembers the key under which the conversation with this object's id is held. It is kept only in memory, because
   * the conversation will soon be listed.
   */
  async heldUnder(key: string): Promise<void> {
    this.#holder = key;
  }

  /**
   * Returns the key under which the conversation with this object's id is held, even before it is listed; null for
   * none.
   */
  async holder(): Promise<string | null> {
    const { store, name } = this.#parts;
    return store.row?.id === name.id ? name.id : this.#holder;
  }

  /** Begins another analysis of a conversation that has ended; see `beginAgain`. @throws ApiError 409 */
  async analyze(row: ConversationRow, operation: string | null): Promise<boolean> {
    const { upkeep, outbox, report } = this.#parts;
    const isPending = await beginAgain(this.#parts, row, operation);
    await upkeep.arm();
    // Otherwise the next reader would see the earlier analysis.
    await outbox.push("ledger").catch(report);
    return isPending;
  }

  /** Returns the conversation as it is now; null if the object no longer holds one, because it is in R2. */
  async detail(): Promise<ConversationDetail | null> {
    const { store, shown } = this.#parts;
    return store.row && Object.assign(shownDetail(store, shown), { timing: timingOf(store.events) });
  }

  /** Streams its events, beginning with those after `lastSeen`. @throws ApiError 404 if the object holds none */
  async events(lastSeen: number | null, reader: Reader): Promise<ReadableStream<Uint8Array>> {
    return this.#parts.watchers.open(lastSeen, reader);
  }

  /**
   * Erases the conversation with this id (any for null). Late reports do not restore it. A later conversation of the
   * same visitor stays. @throws if a destination of the outbox fails
   */
  async erase(id: string | null): Promise<void> {
    const { analyses, store, ending, watchers, upkeep } = this.#parts;
    await analyses.erase(id);
    const { row } = store;
    if (row !== null && id !== null && row.id !== id) return;
    const now = Date.now();
    // Its usage is counted and its end becomes an event, even if no transcript is stored.
    ending.erase();
    watchers.close();
    // Pending reports are delivered before the caller deletes the data at their destinations; nothing further is sent.
    await upkeep.leave(now);
    await upkeep.arm();
  }

  /** Ends the conversation, or those of its streams, with one of these ids, because the meter no longer allows them. */
  async revoke(ids: string[], reason: string): Promise<void> {
    const { watchers, store, ending } = this.#parts;
    watchers.revoke(ids);
    if (store.row !== null && ids.includes(store.row.id)) await ending.revoke(reason);
  }

  /** Accepts the WebSocket of a client that talks with the agent. */
  override async fetch(request: Request): Promise<Response> {
    const { edge } = this.#parts;
    return withinFetch(request, () => edge.accept(request.url === SIGNED, request.headers.get(CLIENT_ADDRESS)));
  }

  override async webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    await this.#parts.edge.message(socket, frame);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    await this.#closed(socket, code);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#closed(socket, 1006);
  }

  async #closed(socket: WebSocket, code: number): Promise<void> {
    const { edge, store, ending, upkeep } = this.#parts;
    const reason = edge.closed(socket, code);
    if (store.row === null) return;
    if (reason) await ending.end(reason);
    else await upkeep.arm();
  }
}
