import { accountStore } from "../../kernel/durable/account-stores.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import type { OptionalSecrets, OwnRuntime } from "../../kernel/http/context.ts";
import { conflict } from "../../kernel/http/errors.ts";
import type { Reader } from "../../kernel/http/pass.ts";
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
import { shownDetail } from "./streams/view.ts";
import { takeEvents } from "./take-events.ts";
import type { ToolUseResult } from "./tools/tool-run-log.ts";
import { BUDGET } from "./turns/turn-loop.ts";

/**
 * One object per conversation, named `account/key`: the call's id, the visitor's sign-in, or the test's own id. It owns
 * what is said while the conversation is live, whoever holds it, archives it in R2 when it has ended, and reports it to
 * the account's ledger; then it is empty again.
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
  /** Whose object holds the conversation that this object's own id is the id of, while it is not listed. */
  #holder: string | null = null;

  constructor(ctx: DurableObjectState, env: Env & OptionalSecrets) {
    super(ctx, env);
    const { store, budget, tools, edge } = this.#parts;
    if (store.row === null) return;
    const cut = store.openTurn;
    // An earlier life was cut off while its agent spoke: these words were sent, and are charged.
    budget.resume(bytesOf(cut?.text ?? ""));
    if (cut) store.closeTurn({ type: "agent_turn", text: cut.text, interrupted: true }, cut.at);
    tools.closeOpen();
    if (store.row.held_by === "edge" && store.row.ended_at === null && !edge.connected) {
      if (store.row.lost_at === null) edge.lost();
      store.update({ lost_at: store.row.lost_at ?? Date.now(), quiet_since: null });
    }
  }

  /** The session's snapshot, made at the first request. @throws ApiError 403 for a session that has ended */
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

  /** Uses a tool of the session at its runtime's request. @throws ApiError */
  async useTool(
    runtime: OwnRuntime,
    name: string,
    toolCallId: string | null,
    args: Record<string, unknown>,
  ): Promise<ToolUseResult> {
    const { door, store, tools, lease, upkeep } = this.#parts;
    await door.openForRuntime(runtime);
    if (store.existing.ended_at !== null) throw sessionEnded();
    store.update({ heard_at: Date.now() });
    try {
      return await tools.use(name, toolCallId, args);
    } finally {
      lease.renew();
      await upkeep.arm();
    }
  }

  /** Hands the caller of this session's call over, at a runtime's request. @throws ApiError */
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

  /** Whether the runtime of this session may hang up. @throws ApiError 403, 409 once the caller talks to somebody else */
  async mayHangUp(runtime: OwnRuntime): Promise<void> {
    await this.session(runtime);
    if (this.#parts.store.existing.transferred_to === null) return;
    throw conflict("already_transferred", "the caller was transferred: the call continues without this session");
  }

  async machineAnswered(): Promise<void> {
    this.#parts.ending.machineAnswered();
  }

  async callEnded(answeredBy: "machine" | null = null): Promise<void> {
    await this.#parts.ending.callEnded(answeredBy);
  }

  /**
   * A budget that the conversation of this id draws on is reached, or one of its call's for null: it ends once the answer
   * under way is finished.
   */
  async endForBudget(id: string | null): Promise<void> {
    const { budget, edge, ending, store } = this.#parts;
    const { row } = store;
    if (row === null || (id !== null && row.id !== id) || row.ended_at !== null) return;
    budget.revoke();
    if (row.held_by === "edge") await edge.leaveForBudget();
    else await ending.end(BUDGET);
  }

  /** Gives out the part of this id to be spoken by the agent's own voice. @throws ApiError 403, 429 */
  async giveSpeech(id: string): Promise<GivenSpeech> {
    return this.#parts.speech.give(id);
  }

  /** A part that was given out is over; see `AgentSpeech.over`. */
  async speechOver(n: number, isSpoken: boolean): Promise<void> {
    this.#parts.speech.over(n, isSpoken);
    await this.#parts.upkeep.arm();
  }

  async whereCallerIs(): Promise<"handed_over" | "over" | Speaker | null> {
    return whereCallerIs(this.#parts.store);
  }

  /** Notes that the conversation by this object's id is held under that key. In memory: soon it is listed. */
  async heldUnder(key: string): Promise<void> {
    this.#holder = key;
  }

  /** Under which key the conversation by this object's id is held, also before it is listed; null for none. */
  async holder(): Promise<string | null> {
    const { store, name } = this.#parts;
    return store.row?.id === name.id ? name.id : this.#holder;
  }

  /** Begins another analysis of a conversation that has ended; see `beginAgain`. @throws ApiError 409 */
  async analyze(row: ConversationRow, operation: string | null): Promise<boolean> {
    const { upkeep, outbox, report } = this.#parts;
    const isPending = await beginAgain(this.#parts, row, operation);
    await upkeep.arm();
    // Otherwise the next reader would take the earlier analysis for this one.
    await outbox.push("ledger").catch(report);
    return isPending;
  }

  /** The conversation as it is now; null if the object holds none (any longer): then R2 has it. */
  async detail(): Promise<ConversationDetail | null> {
    const { store, shown } = this.#parts;
    return store.row && Object.assign(shownDetail(store, shown), { timing: timingOf(store.events) });
  }

  /** What happens in it, those events after `lastSeen` first. @throws ApiError 404 where the object holds none */
  async events(lastSeen: number | null, reader: Reader): Promise<ReadableStream<Uint8Array>> {
    return this.#parts.watchers.open(lastSeen, reader);
  }

  /**
   * Erases the whole conversation with this id, or whichever there is for null, and takes in nothing more of it: what comes
   * late revives nothing. A later one of the same visitor is left alone.
   * @throws where somebody does not take what the conversation owes
   */
  async erase(id: string | null): Promise<void> {
    const { analyses, store, ending, watchers, upkeep } = this.#parts;
    await analyses.erase(id);
    const { row } = store;
    if (row !== null && id !== null && row.id !== id) return;
    const now = Date.now();
    // Its use is counted and its end is an event, even if nothing that was said is stored.
    ending.erase();
    watchers.close();
    // What it owes is delivered before the caller deletes it there; nothing further is sent.
    await upkeep.leave(now);
    await upkeep.arm();
  }

  /** The account's meter says that what it keeps open under these ids may not stay: the conversation, or streams of it. */
  async revoke(ids: string[], reason: string): Promise<void> {
    const { watchers, store, ending } = this.#parts;
    watchers.revoke(ids);
    if (store.row !== null && ids.includes(store.row.id)) await ending.revoke(reason);
  }

  /** Accepts the WebSocket of somebody who talks with the agent. */
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
