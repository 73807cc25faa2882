import type { CallLine } from "../../phone/calls/call-line.ts";
import type { CallReport } from "../../phone/calls/call-report.ts";
import type { CampaignCall } from "../../phone/calls/campaign-call.ts";
import { notHungUp } from "../../phone/calls/hang-up.ts";
import type { AttemptRow, HeldConversation } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { type TakenReport, takeReport } from "./call-reports.ts";
import { callSession } from "./call-session.ts";
import type { DispatchDependencies } from "./dispatch-dependencies.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { messageAskedFor } from "./machine-message.ts";

interface Dependencies {
  store: CampaignStore;
  dial: DispatchDependencies;
  dispatcher: Dispatcher;
  /** Goes on with work that nobody waits for. */
  background(work: Promise<unknown>): void;
  /** Brings D1 up to date. */
  project(): Promise<void>;
  wake(): Promise<void>;
}

/** The campaign's calls for whoever follows one: carriers' webhooks, the conversation, the calls' routes. */
export class CampaignCalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Takes in events of one of its calls, from a webhook that these credentials signed. */
  async takeEvents(report: CallReport): Promise<TakenReport> {
    const { store, dial, dispatcher, background, wake } = this.#deps;
    const taken = takeReport(store, report, dial.limits, dial.now);
    if (taken !== null && typeof taken !== "string") {
      // A machine that records waits for nobody: not for the loop's turn either.
      background(dispatcher.messages.round());
      await wake();
    }
    return taken;
  }

  /** What its carrier is to say to the machine that answered one of its calls; null where nothing is to be said. */
  machineMessage(callId: string): Promise<string | null> {
    return messageAskedFor(this.#deps.store, this.#deps.dial, callId);
  }

  /** What the conversation on one of its calls is to know; null where it has no such call. */
  session(callId: string): CampaignCall | null {
    return callSession(this.#deps.store, callId);
  }

  /** Remembers with one of its calls the conversation held on it and what came of it. */
  noteConversation(callId: string, { conversation_id, disposition }: HeldConversation): void {
    const { campaign, attempts } = this.#deps.store;
    if (campaign.row) attempts.update(callId, { conversation_id, disposition });
  }

  /** Forgets the conversations held on these calls, and what came of them. */
  forgetConversations(callIds: string[]): void {
    const { campaign, attempts } = this.#deps.store;
    if (campaign.row) attempts.forgetConversations(callIds);
  }

  /** Ends one of its calls; false where it has no such call. @throws ApiError where its carrier does not: tried again */
  async hangUp(callId: string): Promise<boolean> {
    const { dispatcher, wake, project } = this.#deps;
    const attempt = this.#attempt(callId);
    if (!attempt) return false;
    try {
      if (attempt.state !== "ended") await dispatcher.calls.hangUp(attempt);
    } catch (error) {
      throw notHungUp(error);
    } finally {
      await wake();
    }
    await project();
    return true;
  }

  /** How one of its calls is reached at its carrier, also before it is listed; null where it has no such call. */
  lineOf(callId: string): CallLine | null {
    const attempt = this.#attempt(callId);
    if (!attempt) return null;
    const { provider, credentials_id, state } = attempt;
    return { ref: this.#deps.dispatcher.calls.ref(attempt), provider, credentials_id, over: state === "ended" };
  }

  #attempt(callId: string): AttemptRow | null {
    const { campaign, attempts } = this.#deps.store;
    return (campaign.row && attempts.get(callId)) ?? null;
  }
}
