import { accountStore } from "../../kernel/durable/account-stores.ts";
import { accountMeter, conversationOf } from "../../kernel/durable/objects.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import type { OptionalSecrets, OwnRuntime } from "../../kernel/http/context.ts";
import { conflict } from "../../kernel/http/errors.ts";
import type { Reader } from "../../kernel/http/pass.ts";
import { describeError, logError } from "../../kernel/log.ts";
import { ObservedObject, withinFetch } from "../../kernel/observing/observed-object.ts";
import { streamGate } from "../../kernel/streams/stream-gate.ts";
import type { Speaker } from "../../phone/calls/relay-settings.ts";
import { callGoesOn, numberOfTarget, type Transferring, transferCall } from "../../phone/calls/transfer-call.ts";
import { putArchive } from "../../records/conversations/archive.ts";
import type { ConversationEvent } from "../../records/conversations/events.ts";
import type { ConversationDetail } from "../../records/conversations/record.ts";
import { timingOf } from "../../records/conversations/timing.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { ConversationRow } from "../../records/ledger/report.ts";
import { redactRunError } from "../../records/privacy/redaction/redact-record.ts";
import type { Analyses } from "./analysis/analyses.ts";
import { beginAgain } from "./analysis/begin-analysis.ts";
import { analysesOf } from "./analysis/of-conversation.ts";
import { RequestBudget } from "./budget/request-budget.ts";
import { bytesOf } from "./budget/request-size.ts";
import { CLIENT_ADDRESS, SIGNED } from "./client-sockets.ts";
import { EdgeRuntime } from "./edge-runtime.ts";
import { Ending } from "./ending.ts";
import { Handover, TRANSFERRED } from "./handover.ts";
import type { Model } from "./models/model.ts";
import { modelOf } from "./models/model-of.ts";
import { optOut } from "./opt-out.ts";
import { ConversationLease } from "./session/live-lease.ts";
import { makeFindable } from "./session/make-findable.ts";
import { policyOf, type SessionSnapshot } from "./session/session.ts";
import { SessionDoor, sessionEnded } from "./session/session-door.ts";
import { tokenLifetimeMs } from "./session/session-token.ts";
import { whereCallerIs } from "./session/where-caller-is.ts";
import { ConversationStore } from "./store/conversation-store.ts";
import { shownDetail } from "./streams/view.ts";
import { Watchers } from "./streams/watchers.ts";
import { takeEvents } from "./take-events.ts";
import { RunCounter } from "./tools/count-run.ts";
import { PlatformTools } from "./tools/platform-tools.ts";
import type { ToolUseResult } from "./tools/tool-run-log.ts";
import { maxOutputOf } from "./turns/agent-voice.ts";
import { QuietWatch } from "./turns/quiet-watch.ts";
import { BUDGET } from "./turns/turn-loop.ts";
import { Archiving } from "./upkeep/archiving.ts";
import { deliveries } from "./upkeep/deliveries.ts";
import { hangUpLingering } from "./upkeep/lingering-call.ts";
import { pricedOf } from "./upkeep/pricing.ts";
import { type ConversationDestination, Reports } from "./upkeep/reports.ts";
import { Upkeep } from "./upkeep/upkeep.ts";

/**
 * One object per conversation, named `account/key`: the call's id, the visitor's sign-in, or the test's own id. It owns
 * what is said while the conversation is live, whoever holds it, archives it in R2 when it has ended, and reports it to the
 * account's ledger; then it is empty again.
 */
export class Conversation extends ObservedObject<Env & OptionalSecrets> {
  readonly #name = conversationOf(this.ctx);
  readonly #accountStore = accountStore(this.env, this.#name.account, {
    actor: `conversation:${this.#name.id}`,
    request_id: "",
  });
  readonly #store: ConversationStore = new ConversationStore(
    this.ctx.storage,
    () => this.#watchers.notify(),
    () => this.#reports.owe(),
  );
  readonly #outbox = new Outbox<ConversationDestination>({
    sql: this.ctx.storage.sql,
    deliver: deliveries({ env: () => this.env, accountStore: this.#accountStore }),
  });
  readonly #reports = new Reports({
    store: this.#store,
    outbox: this.#outbox,
    priced: () => pricedOf(this.env, this.#store),
    now: () => Date.now(),
  });
  readonly #watchers: Watchers = new Watchers({
    store: this.#store,
    gate: streamGate(this.env, this.#name.account, { type: "conversation", id: this.#name.id }),
    durable: () => this.ctx.storage.sync(),
    report: (error) => this.#report(error),
  });
  readonly #archiving = new Archiving(this.#store, (detail) =>
    putArchive(this.env.CONVERSATIONS, this.#name.account, detail),
  );
  readonly #analyses: Analyses = analysesOf({
    env: () => this.env,
    ctx: this.ctx,
    name: this.#name,
    store: this.#store,
    outbox: this.#outbox,
    reports: this.#reports,
    arm: () => this.#upkeep.arm(),
    report: (error) => this.#report(error),
  });
  readonly #lease: ConversationLease = new ConversationLease({
    store: this.#store,
    meter: () => accountMeter(this.env, this.#name.account),
    budget: () => this.#budget,
    revoked: (reason) => this.#ending.revoke(reason),
    report: (error) => this.#report(error),
  });
  readonly #door: SessionDoor = new SessionDoor({
    env: this.env,
    name: this.#name,
    store: this.#store,
    lease: this.#lease,
    accountStore: this.#accountStore,
    makeRoom: () => this.#upkeep.makeRoom(),
    begun: () => {
      this.#chosenModel = null;
      return this.#upkeep.arm();
    },
  });
  readonly #runCounter = new RunCounter({ env: this.env, store: this.#store, now: () => Date.now() });
  readonly #tools: PlatformTools = new PlatformTools({
    env: this.env,
    store: this.#store,
    accountStore: this.#accountStore,
    fetch: (...args) => fetch(...args),
    count: () => this.#runCounter.count(),
    ended: () => {
      this.#upkeep.arm().catch((error: unknown) => this.#report(error));
    },
    now: () => Date.now(),
  });
  readonly #budget: RequestBudget = new RequestBudget({
    store: this.#store,
    lease: this.#lease,
    maxOutput: () => maxOutputOf(this.#store.session.snapshot),
    report: (error) => this.#report(error),
    now: () => Date.now(),
    wait: (ms) => scheduler.wait(ms),
  });
  readonly #edge: EdgeRuntime = new EdgeRuntime({
    sockets: this.ctx,
    store: this.#store,
    open: (frame, client) => this.#door.openToTalk(frame, client),
    mayGoOn: () => this.#door.mayGoOn(),
    limited: () => this.env.RATE_LIMITS !== "off",
    makeFindable: () => makeFindable({ env: this.env, name: this.#name, store: this.#store, reports: this.#reports }),
    model: () => this.#model(),
    actions: {
      optOut: () => this.#optOut(),
      disposition: (value, note) =>
        this.#store.append({ type: "disposition", value, ...(note !== undefined && { note }) }, Date.now()),
      transfer: (label) => this.#handover.giveTo(label, this.#accountStore),
    },
    platform: this.#tools,
    budget: this.#budget,
    arm: () => this.#upkeep.arm(),
    end: (reason) => this.#ending.end(reason),
    turnEnded: () => this.#lease.renew(),
    report: (error) => this.#report(error),
    now: () => Date.now(),
  });
  readonly #handover: Handover = new Handover({
    store: this.#store,
    numberOf: (label) => numberOfTarget(this.#accountStore, this.#caller, label),
    transfer: (toNumber, store) =>
      transferCall(
        { env: this.env, store, now: Date.now() },
        Object.assign({ callId: this.#name.id, toNumber, campaignId: this.#campaignId }, this.#caller),
      ),
    callGoesOn: () =>
      callGoesOn({ env: this.env, store: this.#accountStore }, { callId: this.#name.id, campaignId: this.#campaignId }),
    end: (reason) => this.#ending.end(reason),
    report: (error) => this.#report(error),
  });
  readonly #ending: Ending = new Ending({
    store: this.#store,
    edge: this.#edge,
    handover: this.#handover,
    watchers: this.#watchers,
    lease: this.#lease,
    arm: () => this.#upkeep.arm(),
  });
  readonly #watch: QuietWatch = new QuietWatch({
    store: this.#store,
    ledger: new Ledger({ env: this.env, store: this.#accountStore }),
    busy: () => this.#edge.busy,
    askWhetherThere: () => this.#edge.askWhetherThere(),
    end: (reason) => this.#ending.end(reason),
    campaignCall: (identity) => this.#door.campaignCall(identity),
  });
  readonly #upkeep: Upkeep = new Upkeep({
    storage: this.ctx.storage,
    store: this.#store,
    archiving: this.#archiving,
    reports: this.#reports,
    outbox: this.#outbox,
    watch: this.#watch,
    lease: this.#lease,
    tools: this.#tools,
    analyses: this.#analyses,
    tokenLifetimeMs: tokenLifetimeMs(this.env),
    hangUpLingering: (now) => hangUpLingering(this.env, this.#store, this.#accountStore, now),
    report: (error) => this.#report(error),
  });
  #chosenModel: Model | null = null;
  /** Whose object holds the conversation that this object's own id is the id of, while it is not listed. */
  #holder: string | null = null;

  constructor(ctx: DurableObjectState, env: Env & OptionalSecrets) {
    super(ctx, env);
    if (this.#store.row === null) {
      if (this.#analyses.owes) ctx.blockConcurrencyWhile(() => this.#upkeep.arm());
      return;
    }
    const cut = this.#store.openTurn;
    // An earlier life was cut off while its agent spoke: so much had been said, and is charged.
    this.#budget.resume(bytesOf(cut?.text ?? ""));
    if (cut) this.#store.closeTurn({ type: "agent_turn", text: cut.text, interrupted: true }, cut.at);
    this.#tools.closeOpen();
    if (this.#store.row.held_by === "edge" && this.#store.row.ended_at === null && !this.#edge.connected)
      this.#store.update({ lost_at: this.#store.row.lost_at ?? Date.now(), quiet_since: null });
    // An alarm can be lost with its process: whoever is built with something to do arms it again.
    ctx.blockConcurrencyWhile(() => this.#upkeep.arm());
  }

  /** The session's snapshot, made at the first request. @throws ApiError 403 for a session that has ended */
  async session(runtime: OwnRuntime): Promise<SessionSnapshot> {
    await this.#door.openForRuntime(runtime);
    const { snapshot } = this.#store.session;
    this.#store.flush();
    return { ...snapshot, expires_at: new Date(runtime.session.expires_at).toISOString() };
  }

  async takeEvents(runtime: OwnRuntime, events: ConversationEvent[]): Promise<number> {
    const [store, door, handover, watchers] = [this.#store, this.#door, this.#handover, this.#watchers];
    const arm = () => this.#upkeep.arm();
    const [lease, ending, reports] = [this.#lease, this.#ending, this.#reports];
    return takeEvents({ store, door, handover, watchers, lease, ending, reports, arm }, { runtime, events });
  }

  async end(reason: string): Promise<void> {
    await this.#ending.end(reason);
  }

  /** Uses a tool of the session at its runtime's request. @throws ApiError */
  async useTool(
    runtime: OwnRuntime,
    name: string,
    toolCallId: string | null,
    args: Record<string, unknown>,
  ): Promise<ToolUseResult> {
    await this.#door.openForRuntime(runtime);
    if (this.#store.existing.ended_at !== null) throw sessionEnded();
    this.#store.update({ heard_at: Date.now() });
    try {
      return await this.#tools.use(name, toolCallId, args);
    } finally {
      this.#lease.renew();
      await this.#upkeep.arm();
    }
  }

  /** Hands the caller of this session's call over, at a runtime's request. @throws ApiError */
  async transfer(runtime: OwnRuntime, toNumber: string, requestId: string): Promise<void> {
    await this.#door.openForRuntime(runtime);
    this.#store.flush();
    const { session } = runtime;
    if (session.kind !== "call") throw conflict("transfer_unsupported", "there is no call to transfer");
    const author = { actor: `runtime:${session.call_id}`, request_id: requestId };
    await this.#handover.give(toNumber, accountStore(this.env, this.#name.account, author));
    await this.#ending.end(TRANSFERRED);
  }

  /** Whether the runtime of this session may hang up. @throws ApiError 403, 409 once the caller talks to somebody else */
  async mayHangUp(runtime: OwnRuntime): Promise<void> {
    await this.session(runtime);
    if (this.#store.existing.transferred_to === null) return;
    throw conflict("already_transferred", "the caller was transferred: the call continues without this session");
  }

  async machineAnswered(): Promise<void> {
    this.#ending.machineAnswered();
  }

  async callEnded(answeredBy: "machine" | null = null): Promise<void> {
    await this.#ending.callEnded(answeredBy);
  }

  /** A budget that it draws on is reached: it ends, once the answer under way is finished. */
  async endForBudget(id: string): Promise<void> {
    const { row } = this.#store;
    if (row?.id !== id || row.ended_at !== null) return;
    this.#budget.revoke();
    if (row.held_by === "edge") await this.#edge.leaveForBudget();
    else await this.#ending.end(BUDGET);
  }

  async whereCallerIs(): Promise<"handed_over" | "over" | Speaker | null> {
    return whereCallerIs(this.#store);
  }

  /** Notes that the conversation by this object's id is held under that key. In memory: soon it is listed. */
  async heldUnder(key: string): Promise<void> {
    this.#holder = key;
  }

  /** Under which key the conversation by this object's id is held, also before it is listed; null for none. */
  async holder(): Promise<string | null> {
    return this.#store.row?.id === this.#name.id ? this.#name.id : this.#holder;
  }

  /** Begins another analysis of a conversation that has ended; see `beginAgain`. @throws ApiError 409 */
  async analyze(row: ConversationRow, operation: string | null): Promise<boolean> {
    const context = { store: this.#store, accountStore: this.#accountStore, analyses: this.#analyses };
    const isPending = await beginAgain(context, row, operation);
    await this.#upkeep.arm();
    // Whoever looks at the conversation next is not to take the earlier analysis for this one.
    await this.#outbox.push("ledger").catch((error: unknown) => this.#report(error));
    return isPending;
  }

  /** The conversation as it is now; null where the object holds none (any more): R2 then has it. */
  async detail(): Promise<ConversationDetail | null> {
    return this.#store.row && Object.assign(shownDetail(this.#store), { timing: timingOf(this.#store.events) });
  }

  /** What happens in it, those events after `lastSeen` first. @throws ApiError 404 where the object holds none */
  async events(lastSeen: number | null, reader: Reader): Promise<ReadableStream<Uint8Array>> {
    return this.#watchers.open(lastSeen, reader);
  }

  /**
   * Forgets the conversation of this id whole, or whichever there is for null, and takes in nothing more of it: what comes
   * late revives nothing. A later one of the same visitor is left alone.
   * @throws where somebody does not take what the conversation owes
   */
  async erase(id: string | null): Promise<void> {
    await this.#analyses.forget(id);
    const { row } = this.#store;
    if (row !== null && id !== null && row.id !== id) return;
    const now = Date.now();
    // What it used is counted, and its end an event, also where nobody keeps what was said.
    this.#ending.erase();
    this.#watchers.close();
    // What it owes arrives before the caller deletes it there; nothing more sets out.
    await this.#upkeep.leave(now);
    await this.ctx.storage.setAlarm(now + tokenLifetimeMs(this.env));
  }

  /** The account's meter says that what it keeps open under these ids may not stay: the conversation, or streams of it. */
  async revoke(ids: string[], reason: string): Promise<void> {
    this.#watchers.revoke(ids);
    if (this.#store.row !== null && ids.includes(this.#store.row.id)) await this.#ending.revoke(reason);
  }

  /** A WebSocket of who is to talk with the agent. */
  override async fetch(request: Request): Promise<Response> {
    return withinFetch(request, () => this.#edge.accept(request.url === SIGNED, request.headers.get(CLIENT_ADDRESS)));
  }

  override async webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    await this.#edge.message(socket, frame);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    await this.#closed(socket, code);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#closed(socket, 1006);
  }

  async #closed(socket: WebSocket, code: number): Promise<void> {
    const reason = this.#edge.closed(socket, code);
    if (this.#store.row === null) return;
    if (reason) await this.#ending.end(reason);
    else await this.#upkeep.arm();
  }

  override async alarm(): Promise<void> {
    await this.#upkeep.round();
  }

  /** Who answers: chosen once, as the session is frozen. */
  async #model(): Promise<Model> {
    this.#chosenModel ??= await modelOf(this.env, this.#store.session, (...args) => fetch(...args));
    return this.#chosenModel;
  }

  /** The campaign that its call is of, null for none. */
  /** Whose agent's transfer targets count. */
  get #caller(): Transferring {
    const { identity, session } = this.#store;
    return { agentId: identity.agent_id, pin: session.version?.pin ?? null };
  }

  get #campaignId(): string | null {
    const { identity } = this.#store;
    return identity.kind === "call" ? identity.campaign_id : null;
  }

  #optOut(): boolean {
    const isNoted = optOut({ store: this.#store, reports: this.#reports }, Date.now());
    // The list is to have the number before the agent has finished speaking.
    if (isNoted) this.#upkeep.arm().catch((error: unknown) => this.#report(error));
    return isNoted;
  }

  #report(thrown: unknown): void {
    // Models, tools and carriers quote in their errors what they were sent.
    const error =
      this.#store.row === null ? thrown : redactRunError(describeError(thrown), policyOf(this.#store.session.snapshot));
    logError("conversation", error ?? "an error in a conversation that is not stored", {
      account: this.#name.account,
      conversation: this.#store.row?.id ?? "",
    });
  }
}
