import type { CallLine } from "../phone/calls/call-line.ts";
import type { CallReport } from "../phone/calls/call-report.ts";
import type { CampaignCall } from "../phone/calls/campaign-call.ts";
import { notHungUp } from "../phone/calls/hang-up.ts";
import { CampaignObject } from "./campaign-object.ts";
import { type TakenReport, takeReport } from "./dial/call-reports.ts";
import { messageAskedFor } from "./dial/machine-message.ts";
import type { HeldConversation } from "./store/attempt-row.ts";
import { callSession } from "./streams/call-session.ts";

/** The campaign's object for whoever follows one of its calls: carriers' webhooks, the conversation, the calls' routes. */
export abstract class CampaignCalls extends CampaignObject {
  /** Takes in events of one of its calls, from a webhook that these credentials signed. */
  async callEvents(report: CallReport): Promise<TakenReport> {
    const taken = takeReport(this.store, report, this.deps.limits, Date.now);
    if (taken !== null && typeof taken !== "string") {
      // A machine that records waits for nobody: not for the loop's turn either.
      this.ctx.waitUntil(this.dispatcher.messages.round().catch((error: unknown) => this.report(error)));
      await this.loop.wake();
    }
    return taken;
  }

  /** What its carrier is to say to the machine that answered one of its calls; null where nothing is to be said. */
  async machineMessage(callId: string): Promise<string | null> {
    return messageAskedFor(this.store, this.deps, callId);
  }

  /** What the conversation on one of its calls is to know; null where it has no such call. */
  async session(callId: string): Promise<CampaignCall | null> {
    return callSession(this.store, callId);
  }

  /** Remembers with one of its calls the conversation held on it and what came of it. */
  async conversation(callId: string, { conversation_id, disposition }: HeldConversation): Promise<void> {
    if (this.store.campaign.row) this.store.attempts.update(callId, { conversation_id, disposition });
  }

  /** Forgets the conversations held on these calls, and what came of them. */
  async forget(callIds: string[]): Promise<void> {
    if (this.store.campaign.row) this.store.attempts.forgetConversations(callIds);
  }

  /** Ends one of its calls; false where it has no such call. @throws ApiError where its carrier does not: tried again */
  async hangUp(callId: string): Promise<boolean> {
    const attempt = this.store.campaign.row && this.store.attempts.get(callId);
    if (!attempt) return false;
    try {
      if (attempt.state !== "ended") await this.dispatcher.calls.hangUp(attempt);
    } catch (error) {
      throw notHungUp(error);
    } finally {
      await this.loop.wake();
    }
    await this.projection.pushNow(Date.now());
    return true;
  }

  /** How one of its calls is reached at its carrier, also before it is listed; null where it has no such call. */
  lineOf(callId: string): CallLine | null {
    const attempt = this.store.campaign.row && this.store.attempts.get(callId);
    if (!attempt) return null;
    const { provider, credentials_id, state } = attempt;
    return { ref: this.dispatcher.calls.ref(attempt), provider, credentials_id, over: state === "ended" };
  }
}
