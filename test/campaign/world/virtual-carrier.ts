import {
  type CallEvent,
  type CallRef,
  type Carrier,
  CarrierRefusal,
  CarrierUncertain,
} from "../../../src/phone/carriers/carrier.ts";
import type { CallStatus, Machine } from "../../../src/records/ledger/call-status.ts";
import type { Scenario } from "./virtual-world.ts";

/** The course of a call. `outage` and `rate` are problems of the carrier itself that depend on the time. */
export const BEHAVIORS = [
  "answered",
  "busy",
  "no-answer",
  "silent",
  "endless",
  "machine",
  "fax",
  "refused",
  "outage",
  "rate",
  "lost-answer",
  "never-arrived",
] as const;
export type Behavior = (typeof BEHAVIORS)[number];

/** The result of asking the carrier to leave a message. With `lost-*` its response is lost. */
export const MESSAGES = ["left", "refused", "lost-left", "lost-refused", "cannot"] as const;
export type MessageBehavior = (typeof MESSAGES)[number];

/** How the carrier's reports of a call arrive. */
export const DELIVERIES = ["prompt", "late", "twice", "backwards"] as const;
export type Delivery = (typeof DELIVERIES)[number];

export interface VirtualCall {
  id: string;
  to: string;
  startedAt: number;
  answersAt: number | null;
  endsAt: number;
  final: CallStatus;
  /** Whether its end is never reported. */
  silent: boolean;
  machine: Machine | null;
  /** When a message began to be spoken on the call; null if none was. */
  messageAt: number | null;
  /**
   * Pending reports. After listening longer, a carrier can detect that a machine answered, and later that it records.
   */
  reports: { at: number; status: CallStatus; machine?: Machine }[];
}

const RINGS = 1_000;
const LATE = 15_000;
/** How long the carrier listens before it can detect a machine, ms. */
const LISTENS = 4_000;
/** How long a machine's greeting and a message last, ms. */
const GREETS = 9_000;
const SPEAKS = 6_000;
const HOUR = 3_600_000;

/** A carrier on a virtual clock. Its own record of every call is the truth. */
export class VirtualCarrier {
  readonly calls = new Map<string, VirtualCall>();
  /** Every requested call that the carrier didn't refuse. */
  readonly dialled: { to: string; at: number }[] = [];
  readonly #behaviors: Behavior[];
  readonly #deliveries: Delivery[];
  readonly #talks: number;
  readonly #messages: MessageBehavior[];
  readonly #now: () => number;
  #lookups = 0;

  constructor(
    { behaviors, deliveries, talks, messages }: Pick<Scenario, "behaviors" | "deliveries" | "talks" | "messages">,
    now: () => number,
  ) {
    this.#talks = talks;
    this.#messages = messages;
    this.#behaviors = behaviors;
    this.#deliveries = deliveries;
    this.#now = now;
  }

  /** Accepts a call, and throws what its behavior demands. If only the response is lost, the call exists. */
  place(id: string, to: string): void {
    const now = this.#now();
    const behavior = this.#behaviors[this.dialled.length % this.#behaviors.length] ?? "answered";
    if (behavior === "refused") throw new CarrierRefusal("rejected", "no");
    const trouble = Math.floor(now / 7_000) % 3 === 0;
    if ((behavior === "outage" || behavior === "rate") && trouble) throw new CarrierRefusal(behavior, "not now");
    const delivery = this.#deliveries[this.dialled.length % this.#deliveries.length] ?? "prompt";
    this.dialled.push({ to, at: now });
    if (behavior === "never-arrived") throw new CarrierUncertain("timeout");
    const unanswered = behavior === "busy" || behavior === "no-answer";
    const answersAt = unanswered ? null : now + RINGS;
    const endsAt = unanswered ? now + RINGS : now + (behavior === "endless" ? HOUR : this.#talks);
    const final: CallStatus = unanswered ? behavior : "completed";
    const call: VirtualCall = {
      id,
      to,
      startedAt: now,
      answersAt,
      endsAt,
      final,
      silent: behavior === "silent" || behavior === "endless",
      machine: behavior === "machine" ? "recording" : behavior === "fax" ? "no_voicemail" : null,
      messageAt: null,
      reports: [],
    };
    if (answersAt !== null) call.reports.push({ at: answersAt, status: "in-progress" });
    const reportMachine = (after: number, machine: Machine) =>
      call.reports.push({ at: now + RINGS + after, status: "in-progress", machine });
    if (behavior === "fax") reportMachine(LISTENS, "no_voicemail");
    if (behavior === "machine") reportMachine(LISTENS, "greeting");
    if (behavior === "machine") reportMachine(GREETS, "recording");
    if (!call.silent) call.reports.push({ at: endsAt, status: final });
    call.reports = delivered(call.reports, delivery, this.#talks);
    this.calls.set(id, call);
    if (behavior === "lost-answer") throw new CarrierUncertain("connection closed");
  }

  running(): VirtualCall[] {
    return [...this.calls.values()].filter(({ endsAt }) => endsAt > this.#now());
  }

  /** Returns the reports that have arrived, in order of arrival. */
  arrivedReports(): [callId: string, event: CallEvent][] {
    const now = this.#now();
    const arrived = [...this.calls.values()].flatMap((call) =>
      call.reports.filter(({ at }) => at <= now).map((report) => ({ call, ...report })),
    );
    for (const call of this.calls.values()) call.reports = call.reports.filter(({ at }) => at > now);
    return arrived
      .sort((a, b) => a.at - b.at)
      .map(({ call, status, machine }) => [call.id, eventOf(call, status, machine)]);
  }

  nextReportAt(): number {
    const times = [...this.calls.values()].flatMap(({ reports }) => reports.map(({ at }) => at));
    return times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  }

  /** Returns the carrier as the dispatcher sees it. `step` takes the time of a request, and `act` is its effect. */
  asCarrier(step: (mayFail: boolean, act?: () => void) => Promise<void>): Carrier {
    const unused = () => Promise.reject(new Error("not used here"));
    const messages = this.#messages[this.#lookups % this.#messages.length] ?? "left";
    const leaveMessage = async ({ call_id }: CallRef) => {
      const call = this.calls.get(call_id);
      this.#lookups++;
      const speaks = messages.endsWith("left") && call && call.endsAt > this.#now() && call.answersAt !== null;
      if (speaks) {
        call.messageAt ??= this.#now();
        call.endsAt = Math.min(call.endsAt, this.#now() + SPEAKS);
        call.reports = call.reports.filter(({ at, status }) => at <= call.endsAt || status !== call.final);
        if (call.reports.every(({ status }) => status !== call.final) && !call.silent)
          call.reports.push({ at: call.endsAt, status: call.final });
      }
      await step(false);
      if (messages.startsWith("lost")) throw new CarrierUncertain("connection closed");
      if (!speaks) throw new CarrierRefusal("rejected", "no");
    };
    return {
      ...(messages !== "cannot" && { leaveMessage }),
      originate: unused,
      transfer: unused,
      parseWebhook: unused,
      fetchRecording: unused,
      deleteRecording: unused,
      verifyCredentials: unused,
      lookup: async ({ call_id }) => {
        await step(true);
        const call = this.calls.get(call_id);
        return call ? eventOf(call, this.#statusOf(call), this.#detected(call)) : null;
      },
      hangup: async ({ call_id }) => {
        const call = this.calls.get(call_id);
        // Every carrier ends calls at their limit. "endless" calls ignore it, so they must be hung up.
        const isEndless = call !== undefined && call.endsAt - call.startedAt === HOUR;
        await step(!isEndless, () => {
          if (call) call.endsAt = Math.min(call.endsAt, this.#now());
        });
      },
    };
  }

  /** Returns who answered according to the carrier, which detects a machine only after listening for a while. */
  #detected({ answersAt, machine }: VirtualCall): Machine | undefined {
    if (machine === null || answersAt === null || answersAt + LISTENS > this.#now()) return undefined;
    return machine === "recording" && answersAt + GREETS > this.#now() ? "greeting" : machine;
  }

  #statusOf({ answersAt, endsAt, final }: VirtualCall): CallStatus {
    if (endsAt <= this.#now()) return final;
    return answersAt !== null && answersAt <= this.#now() ? "in-progress" : "ringing";
  }
}

function delivered(reports: VirtualCall["reports"], delivery: Delivery, talks: number): VirtualCall["reports"] {
  switch (delivery) {
    case "prompt":
      return reports;
    case "late":
      return reports.map((report) => ({ ...report, at: report.at + LATE }));
    case "twice":
      return [...reports, ...reports.map((report) => ({ ...report, at: report.at + LATE }))];
    case "backwards":
      // The end is reported when it happens, the answer only afterwards.
      return reports.map((report) => ({
        ...report,
        at: report.status === "in-progress" ? report.at + 2 * talks : report.at,
      }));
  }
}

function eventOf({ id }: VirtualCall, status: CallStatus, machine: Machine | undefined): CallEvent {
  return {
    provider_call_id: id,
    status,
    answered_by: machine ? "machine" : null,
    machine,
    reason: "",
    recording: null,
  };
}
