import { accountStore as accountStoreOf } from "../../kernel/durable/account-stores.ts";
import { accountMeter, conversationOf } from "../../kernel/durable/objects.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import type { OptionalSecrets } from "../../kernel/http/context.ts";
import { describeError, logError } from "../../kernel/log.ts";
import { streamGate } from "../../kernel/streams/stream-gate.ts";
import { callOwner } from "../../phone/calls/live/call-owner.ts";
import { callGoesOn, numberOfTarget, type Transferring, transferCall } from "../../phone/calls/transfer-call.ts";
import { putArchive } from "../../records/conversations/archive.ts";
import { redactRunError } from "../../records/privacy/redaction/redact-record.ts";
import { testerScopes } from "../agent-sessions/tester-scopes.ts";
import type { Analyses } from "./analysis/analyses.ts";
import { analysesOf } from "./analysis/of-conversation.ts";
import { RequestBudget } from "./budget/request-budget.ts";
import { conversationSearch } from "./built-in/search-knowledge.ts";
import { EdgeRuntime } from "./edge-runtime.ts";
import { Ending } from "./ending.ts";
import { Handover } from "./handover.ts";
import type { Model } from "./models/model.ts";
import { modelOf } from "./models/model-of.ts";
import { TIMERS } from "./models/timeouts.ts";
import { optOut } from "./opt-out.ts";
import { ConversationLease } from "./session/live-lease.ts";
import { makeFindable } from "./session/make-findable.ts";
import { policyOf } from "./session/session.ts";
import { SessionDoor } from "./session/session-door.ts";
import { tokenLifetimeMs } from "./session/session-token.ts";
import { AgentSpeech } from "./speech/agent-speech.ts";
import { ownVoice } from "./speech/own-voice.ts";
import { pageMark, signTicket } from "./speech/ticket.ts";
import { ConversationStore } from "./store/conversation-store.ts";
import { logOf, ShownLog } from "./streams/shown-log.ts";
import { Watchers } from "./streams/watchers.ts";
import { RunCounter } from "./tools/count-run.ts";
import { PlatformTools } from "./tools/platform-tools.ts";
import { QuietWatch } from "./turns/quiet-watch.ts";
import { Archiving } from "./upkeep/archiving.ts";
import { deliveries } from "./upkeep/deliveries.ts";
import { hangUpLingering } from "./upkeep/lingering-call.ts";
import { pricedOf } from "./upkeep/pricing.ts";
import { type ConversationDestination, Reports } from "./upkeep/reports.ts";
import { Upkeep } from "./upkeep/upkeep.ts";

/** Creates the parts of a conversation's object and connects them. Called once, when the object is built. */
export function conversationParts(ctx: DurableObjectState, env: () => Env & OptionalSecrets, arm: () => Promise<void>) {
  const name = conversationOf(ctx);
  const report = (thrown: unknown, context?: { part: string }): void => {
    // Errors of models, tools and carriers may quote what was sent to them.
    const error = store.row === null ? thrown : redactRunError(describeError(thrown), policyOf(store.session.snapshot));
    const named = { account: name.account, conversation: store.row?.id ?? "" };
    logError("conversation", error ?? "an error in a conversation that is not stored", Object.assign(named, context));
  };
  const accountStore = accountStoreOf(env(), name.account, { actor: `conversation:${name.id}`, request_id: "" });
  const store: ConversationStore = new ConversationStore(
    ctx.storage,
    () => watchers.notify(),
    () => reports.owe(),
  );
  let chosenModel: Model | null = null;
  /** Returns the model that answers. It is chosen once, because the session does not change. */
  const model = async (): Promise<Model> => {
    chosenModel ??= await modelOf(env(), store.session, (...args) => {
      const response = fetch(...args);
      // Only requests after a write wait for it. If the process dies from here on, the words that the model answers are
      // stored, and the request is charged.
      store.flush();
      return response;
    });
    return chosenModel;
  };
  /** Returns the agent whose transfer targets apply. */
  const caller = (): Transferring => {
    const { identity, session } = store;
    return { agentId: identity.agent_id, pin: session.version.pin };
  };
  /** Returns the campaign of the call; null for none. */
  const campaignId = (): string | null => {
    const { identity } = store;
    return identity.kind === "call" ? identity.campaign_id : null;
  };
  const outbox = new Outbox<ConversationDestination>({
    sql: ctx.storage.sql,
    deliver: deliveries({ env, accountStore }),
  });
  const reports = new Reports({
    store,
    outbox,
    priced: () => pricedOf(env(), store),
    now: () => Date.now(),
  });
  const shown = new ShownLog(() => logOf(store));
  const watchers: Watchers = new Watchers({
    store,
    shown,
    gate: streamGate(env(), name.account, { type: "conversation", id: name.id }),
    storage: ctx.storage,
    report,
  });
  const archiving = new Archiving(store, (detail) => putArchive(env().CONVERSATIONS, name.account, detail));
  const analyses: Analyses = analysesOf({
    env,
    ctx,
    name,
    store,
    outbox,
    reports,
    arm: () => upkeep.arm(),
    report,
  });
  const lease: ConversationLease = new ConversationLease({
    store,
    meter: () => accountMeter(env(), name.account),
    budget: () => budget,
    revoked: (reason) => ending.revoke(reason),
    report,
  });
  const door: SessionDoor = new SessionDoor({
    env: env(),
    name,
    store,
    lease,
    accountStore,
    makeRoom: () => upkeep.makeRoom(),
    begun: () => {
      chosenModel = null;
      speech.clear();
      return upkeep.arm();
    },
  });
  const search = conversationSearch({ env: env(), accountStore, store, report, now: () => Date.now() });
  const runCounter = new RunCounter({ env: env(), store, now: () => Date.now() });
  const tools: PlatformTools = new PlatformTools({
    env: env(),
    store,
    accountStore,
    fetch: (...args) => fetch(...args),
    count: () => runCounter.count(),
    search,
    testerScopes: () => testerScopes({ env: env(), store: accountStore }, store.identity),
    ended: () => {
      upkeep.arm().catch(report);
    },
    now: () => Date.now(),
  });
  const budget: RequestBudget = new RequestBudget({
    store,
    lease,
    maxOutput: () => store.session.snapshot.agent.max_output_tokens,
    report,
    now: () => Date.now(),
    wait: (ms) => scheduler.wait(ms),
  });
  const noteOptOut = (): boolean => {
    const isAdded = optOut({ store, reports }, Date.now());
    // The number is listed before the agent has finished speaking.
    if (isAdded) upkeep.arm().catch(report);
    return isAdded;
  };
  const speech: AgentSpeech = new AgentSpeech({
    store,
    voice: () => ownVoice(store.session),
    sign: async (id) => {
      const origin = store.identity.kind === "widget" ? store.identity.origin : null;
      const page = origin && (await pageMark(origin));
      return signTicket(env().SIGNING_KEYS, { account: name.account, key: name.id, id, page });
    },
    newId: () => crypto.randomUUID(),
    reserve: (part) => lease.reserveSpeech(part),
    giveBack: (part) => lease.giveBackSpeech(part),
    report,
    arm: () => upkeep.arm(),
    now: () => TIMERS.now,
  });
  const edge: EdgeRuntime = new EdgeRuntime({
    sockets: ctx,
    store,
    speech,
    open: (frame, client) => door.openToTalk(frame, client),
    assertMayContinue: () => door.assertMayContinue(),
    limited: () => env().RATE_LIMITS !== "off",
    spoke: () => handover.discardUnconfirmed(),
    makeFindable: () => makeFindable({ env: env(), name, store, reports }),
    model,
    actions: {
      search,
      optOut: noteOptOut,
      disposition: (value, note) =>
        store.append({ type: "disposition", value, ...(note !== undefined && { note }) }, Date.now()),
      transfer: (label) => handover.giveTo(label, accountStore),
    },
    platform: tools,
    budget,
    arm: () => upkeep.arm(),
    end: (reason) => ending.end(reason),
    turnEnded: () => lease.renew(),
    report,
    now: () => TIMERS.now,
    after: (ms, run) => TIMERS.after(ms, run),
  });
  const handover: Handover = new Handover({
    store,
    numberOf: (label) => numberOfTarget(accountStore, caller(), label),
    transfer: (toNumber, authorStore, asking) =>
      transferCall(
        { env: env(), store: authorStore, now: Date.now() },
        Object.assign({ callId: name.id, toNumber, campaignId: campaignId(), asking }, caller()),
      ),
    callGoesOn: () =>
      callGoesOn({ env: env(), store: accountStore, now: Date.now() }, { callId: name.id, campaignId: campaignId() }),
    end: (reason) => ending.end(reason),
    report,
  });
  const ending: Ending = new Ending({
    store,
    edge,
    speech,
    handover,
    watchers,
    lease,
    arm: () => upkeep.arm(),
  });
  const watch: QuietWatch = new QuietWatch({
    store,
    busy: () => edge.busy,
    askWhetherThere: () => edge.askWhetherThere(),
    leave: (reason) => edge.leave(reason),
    end: (reason) => ending.end(reason),
    callSession: ({ call_id, campaign_id }) =>
      callOwner({ env: env(), store: accountStore, now: Date.now() }, campaign_id).session(call_id),
  });
  const upkeep: Upkeep = new Upkeep({
    store,
    archiving,
    reports,
    outbox,
    watch,
    lease,
    tools,
    analyses,
    tokenLifetimeMs: tokenLifetimeMs(env()),
    hangUpLingering: (now) => hangUpLingering(env(), store, accountStore, now),
    arm,
    report,
  });

  return {
    name,
    accountStore,
    store,
    outbox,
    reports,
    shown,
    watchers,
    analyses,
    lease,
    door,
    tools,
    budget,
    speech,
    edge,
    handover,
    ending,
    upkeep,
    report,
  };
}
