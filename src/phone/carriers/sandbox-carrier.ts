import pMap from "p-map";
import { earliest } from "../../kernel/durable/alarm.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountOf } from "../../kernel/durable/objects.ts";
import { PROMPT_RETRY } from "../../kernel/durable/part-failures.ts";
import { baseOf, knowsItsAddress } from "../../kernel/http/base-url.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import { signText } from "../../kernel/secrets/tokens.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import type { CallEvent } from "./carrier.ts";
import {
  type CallRow,
  hungUp,
  type ReportRow,
  SandboxCalls,
  type SandboxOrder,
  type Talk,
  talkOf,
  toEvent,
} from "./sandbox-calls.ts";
import { connectRuntime } from "./sandbox-connection.ts";
import { SandboxConversation } from "./sandbox-conversation.ts";
import { personAt, personWhoSays } from "./sandbox-people.ts";
import {
  conversationScript,
  endedAt,
  isMachine,
  isScripted,
  type MachineDetection,
  type Moment,
  momentAt,
  type Script,
  sandboxScript,
} from "./sandbox-script.ts";

export const SANDBOX_WEBHOOK = "sandbox-webhook";
/** Number of reports sent at a time, with one reading of the clock. */
const REPORT_CONCURRENCY = 16;
const REPORTS_A_RUN = 256;
/** How often conversations are checked, ms: the alarm rebuilds an object that was lost with its process. */
const WATCH_MS = 2_000;
/** A simulated caller pauses before each line for SANDBOX_TALK_MS divided by this. */
const PAUSES_A_TALK = 5;

/**
 * The embedded default carrier: one object per account that simulates a carrier on the real clock and reports through
 * the service's own webhook route. It keeps everything in its storage, so calls continue after a restart.
 */
export class SandboxCarrier extends ObservedObject<Env> {
  readonly #calls = new SandboxCalls(this.ctx.storage);
  /** The live conversations by call. */
  readonly #conversations = new Map<string, SandboxConversation>();
  /** When (ms) conversations are checked next; at once after a rebuild. */
  #watchAt = 0;
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    holds: () => this.#calls.any,
    build: () => ({
      calls: { dueAt: () => this.#dueAt(), run: (now: number) => this.#play(now), retry: PROMPT_RETRY },
    }),
    parts: ({ calls }) => ({ calls }),
    report: (error, context) => logError("sandbox", error, Object.assign({ account: accountOf(this.ctx) }, context)),
  });

  /** Accepts a call; false if its script refuses it. A call placed repeatedly counts once. */
  async place(order: SandboxOrder, talk: Talk | null = null): Promise<boolean> {
    const now = Date.now();
    const ring = talk?.direction === "inbound" ? 0 : Number(this.env.SANDBOX_RING_MS);
    const held = talk !== null && this.#isHeld(order, talk) ? { talk, answers_at: now + ring } : null;
    const script = held ? conversationScript(ring, null) : this.#script(order.to_number, order);
    if (!script) return false;
    if (held && !this.#isWatching) this.#watchAt = now + WATCH_MS;
    if (!this.#calls.add(order, held, now)) return true;
    for (const report of script.reports) this.#calls.schedule(order, report, now + report.after);
    await this.frame.arm();
    return true;
  }

  /** Returns the call's current state; null if the call is unknown. */
  look(callId: string): CallEvent | null {
    const call = this.#calls.find(callId);
    if (!call) return null;
    const now = Date.now();
    const moment = this.#momentOf(call, Math.min(now, call.hung_up_at ?? now));
    return toEvent(call, call.hung_up_at === null ? moment : hungUp(moment));
  }

  /** Ends the call; does nothing if it is over or unknown. */
  async hangUp(callId: string): Promise<void> {
    const call = this.#calls.find(callId);
    const now = Date.now();
    if (!call || call.hung_up_at !== null) return;
    const moment = this.#momentOf(call, now);
    if (isTerminal(moment.status)) return;
    this.#calls.hangUp(call, now);
    this.#calls.schedule(call, hungUp(moment), now);
    this.#conversations.get(callId)?.stop();
    this.#conversations.delete(callId);
    await this.frame.arm();
  }

  /** Plays a message to the machine that answered and hangs up; false if there is no machine on the line. */
  async leaveMessage(callId: string): Promise<boolean> {
    const call = this.#calls.find(callId);
    const now = Date.now();
    const onTheLine = this.look(callId)?.status === "in-progress";
    if (!call || !onTheLine || call.answers_at !== null || !isMachine(call.to_number)) return false;
    // A message that is already playing is not started again.
    if (call.ended_at !== null) return true;
    this.#calls.dropReports(callId, now);
    await this.#end(callId, now + Number(this.env.SANDBOX_TALK_MS) / 2);
    return true;
  }

  /**
   * Transfers the caller to a person who talks for the usual talk time; false if the call has no caller to transfer.
   */
  async transfer(callId: string): Promise<boolean> {
    const call = this.#calls.find(callId);
    if (!call || this.look(callId)?.status !== "in-progress") return false;
    if (call.talk !== null) {
      this.#conversations.get(callId)?.leave();
      await this.#end(call.call_id, Date.now() + Number(this.env.SANDBOX_TALK_MS));
    }
    return true;
  }

  /** Deletes a person's calls and returns how many there were. Running ones must be hung up before. */
  async erasePerson(number: string | null, callIds: string[]): Promise<number> {
    const erased = this.#calls.erasePerson(number, callIds);
    for (const callId of erased) {
      this.#conversations.get(callId)?.stop();
      this.#conversations.delete(callId);
    }
    return erased.length;
  }

  /** Returns when (ms) the next report or conversation needs the object; null if none does. */
  #dueAt(): number | null {
    return earliest([this.#calls.nextReportAt(), this.#isWatching ? this.#watchAt : null]);
  }

  get #isWatching(): boolean {
    return this.#conversations.size > 0 || (this.#calls.any && this.#calls.anyHeld());
  }

  async #play(now: number): Promise<void> {
    // Reports of one call are sent in order, those of different calls concurrently.
    const send = async (reports: ReportRow[]) => {
      for (const report of reports) this.#calls.reported(report, await this.#deliver(report), Date.now());
    };
    const due = Map.groupBy(this.#calls.dueReports(now, REPORTS_A_RUN), ({ call_id }) => call_id);
    await pMap(due.values(), send, { concurrency: REPORT_CONCURRENCY });
    await this.#attend();
    this.#calls.prune(now, Number(this.env.SANDBOX_RING_MS) + Number(this.env.SANDBOX_TALK_MS));
    this.#watchAt = Date.now() + WATCH_MS;
  }

  /** Runs the conversations of answered calls and ends those that exceed their limit. */
  async #attend(): Promise<void> {
    const now = Date.now();
    for (const call of this.#calls.held(now)) {
      const talk = talkOf(call);
      if (!talk) continue;
      const overdue = now >= (call.answers_at ?? now) + talk.max_duration * 1000;
      if (overdue) await this.#hangUpOn(call.call_id);
      else if (!this.#conversations.has(call.call_id)) this.#converse(call, talk);
    }
    // A transferred caller hangs up eventually.
    for (const [callId, conversation] of this.#conversations) {
      const status = this.look(callId)?.status;
      if (status !== undefined && !isTerminal(status)) continue;
      conversation.stop();
      this.#conversations.delete(callId);
    }
  }

  #converse(call: CallRow, talk: Talk): void {
    const { call_id, to_number, provider_call_id } = call;
    const { own_number, direction, session_token, says, language } = talk;
    const [from, to] = direction === "inbound" ? [to_number, own_number] : [own_number, to_number];
    const conversation = new SandboxConversation(
      {
        connect: (listener) => connectRuntime(this.ctx.exports.default, talk.runtime_url, listener),
        after: (ms, then) => {
          const timer = setTimeout(then, ms);
          return () => clearTimeout(timer);
        },
        keep: (progress) => this.#calls.keep(call_id, progress),
        over: () => this.ctx.waitUntil(this.#hangUpOn(call_id)),
      },
      {
        person: says === null ? personAt(to_number, language) : personWhoSays(says),
        language,
        setup: {
          sessionId: call_id,
          callSid: provider_call_id,
          from,
          to,
          direction,
          customParameters: { session_token },
        },
        pauseMs: Number(this.env.SANDBOX_TALK_MS) / PAUSES_A_TALK,
      },
      { spoken: call.said, answered: call.answered === 1 },
    );
    this.#conversations.set(call_id, conversation);
    this.ctx.waitUntil(conversation.start());
  }

  async #hangUpOn(callId: string): Promise<void> {
    this.#conversations.get(callId)?.stop();
    this.#conversations.delete(callId);
    await this.#end(callId, Date.now());
  }

  async #end(callId: string, at: number): Promise<void> {
    if (!this.#calls.end(callId, at)) return;
    const call = this.#calls.find(callId);
    if (call) this.#calls.schedule(call, this.#momentOf(call, at), at);
    await this.frame.arm();
  }

  /** Posts a report to the service as any carrier would. Returns false if the report should be retried. */
  async #deliver({ webhook_url: url, body }: ReportRow): Promise<boolean> {
    try {
      const signature = await signText(this.env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${url}\n${body}`);
      const headers = { "content-type": "application/json", "x-sandbox-signature": signature };
      const { status } = await this.ctx.exports.default.fetch(new Request(url, { method: "POST", headers, body }));
      return status < 500 && status !== 429;
    } catch {
      return false;
    }
  }

  #momentOf(call: CallRow, at: number): Moment {
    return momentAt(this.#scriptOf(call), at - call.placed_at);
  }

  #scriptOf({ to_number, answers_at, placed_at, ended_at, takes_message, detects_machines }: CallRow): Script {
    if (answers_at === null) {
      const detection = { leaves_message: takes_message === 1, detects_machines: detects_machines === 1 };
      const script = this.#script(to_number, detection) ?? { timeline: [], reports: [] };
      return ended_at === null ? script : endedAt(script, ended_at - placed_at);
    }
    return conversationScript(answers_at - placed_at, ended_at && ended_at - placed_at);
  }

  #script(toNumber: string, detection: MachineDetection): Script | null {
    const { SANDBOX_RING_MS, SANDBOX_TALK_MS } = this.env;
    return sandboxScript(toNumber, Number(SANDBOX_RING_MS), Number(SANDBOX_TALK_MS), detection);
  }

  /**
   * Checks whether the call has a conversation. It has one only with the built-in runtime, because the sandbox has no
   * audio for others.
   */
  #isHeld({ to_number }: SandboxOrder, { runtime_url, says }: Talk): boolean {
    if (this.env.SANDBOX_CONVERSATION === "off" || (says === null && isScripted(to_number))) return false;
    if (!URL.canParse(runtime_url) || !knowsItsAddress(this.env)) return false;
    return new URL(runtime_url.replace(/^ws/, "http")).origin === new URL(baseOf(this.env)).origin;
  }
}
