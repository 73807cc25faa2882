import type { CallStatus } from "../../../src/carriers/call-status.ts";
import { type CallEvent, type Carrier, CarrierRefusal, CarrierUncertain } from "../../../src/carriers/carrier.ts";

/** How a call goes. `outage` and `rate` are the carrier's own trouble, which comes and goes with the time. */
export const BEHAVIOURS = [
  "answered",
  "busy",
  "no-answer",
  "silent",
  "endless",
  "machine",
  "refused",
  "outage",
  "rate",
  "lost-answer",
  "never-arrived",
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

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
  machine: boolean;
  /** Reports on their way; whoever listened longer can tell that a machine answered. */
  reports: { at: number; status: CallStatus; machine?: boolean }[];
}

const RINGS = 1_000;
const LATE = 15_000;
/** How long the carrier listens before it can tell a machine, ms. */
const LISTENS = 4_000;
const HOUR = 3_600_000;

/** A carrier on a virtual clock, with a ledger of its own that knows the truth about every call. */
export class VirtualCarrier {
  readonly calls = new Map<string, VirtualCall>();
  /** Every call asked for that the carrier did not refuse. */
  readonly dialled: { to: string; at: number }[] = [];
  readonly #behaviours: Behaviour[];
  readonly #deliveries: Delivery[];
  readonly #talks: number;
  readonly #now: () => number;

  constructor(behaviours: Behaviour[], deliveries: Delivery[], talks: number, now: () => number) {
    this.#talks = talks;
    this.#behaviours = behaviours;
    this.#deliveries = deliveries;
    this.#now = now;
  }

  /** Takes a call; throws what its behaviour is to throw, where the answer is lost only after the call is on its way. */
  place(id: string, to: string): void {
    const now = this.#now();
    const behaviour = this.#behaviours[this.dialled.length % this.#behaviours.length] ?? "answered";
    if (behaviour === "refused") throw new CarrierRefusal("rejected", "no");
    const trouble = Math.floor(now / 7_000) % 3 === 0;
    if ((behaviour === "outage" || behaviour === "rate") && trouble) throw new CarrierRefusal(behaviour, "not now");
    const delivery = this.#deliveries[this.dialled.length % this.#deliveries.length] ?? "prompt";
    this.dialled.push({ to, at: now });
    if (behaviour === "never-arrived") throw new CarrierUncertain("timeout");
    const unanswered = behaviour === "busy" || behaviour === "no-answer";
    const answersAt = unanswered ? null : now + RINGS;
    const endsAt = unanswered ? now + RINGS : now + (behaviour === "endless" ? HOUR : this.#talks);
    const final: CallStatus = unanswered ? behaviour : "completed";
    const call: VirtualCall = {
      id,
      to,
      startedAt: now,
      answersAt,
      endsAt,
      final,
      machine: behaviour === "machine",
      reports: [],
    };
    if (answersAt !== null) call.reports.push({ at: answersAt, status: "in-progress" });
    if (behaviour === "machine") call.reports.push({ at: now + RINGS + LISTENS, status: "in-progress", machine: true });
    if (behaviour !== "silent" && behaviour !== "endless") call.reports.push({ at: endsAt, status: final });
    call.reports = delivered(call.reports, delivery, this.#talks);
    this.calls.set(id, call);
    if (behaviour === "lost-answer") throw new CarrierUncertain("connection closed");
  }

  running(): VirtualCall[] {
    return [...this.calls.values()].filter(({ endsAt }) => endsAt > this.#now());
  }

  /** Reports that have arrived by now, in the order of their arrival. */
  arrivedReports(): [callId: string, event: CallEvent][] {
    const now = this.#now();
    const arrived = [...this.calls.values()].flatMap((call) =>
      call.reports.filter(({ at }) => at <= now).map((report) => ({ call, ...report })),
    );
    for (const call of this.calls.values()) call.reports = call.reports.filter(({ at }) => at > now);
    return arrived
      .sort((a, b) => a.at - b.at)
      .map(({ call, status, machine }) => [call.id, eventOf(call, status, machine ? "machine" : null)]);
  }

  nextReportAt(): number {
    const times = [...this.calls.values()].flatMap(({ reports }) => reports.map(({ at }) => at));
    return times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  }

  /** The carrier as the dispatcher knows it; `step` is what every request takes. */
  asCarrier(step: (request: "lookup" | "hangup") => Promise<void>): Carrier {
    const unused = () => Promise.reject(new Error("not used here"));
    return {
      originate: unused,
      parseWebhook: unused,
      fetchRecording: unused,
      verifyCredentials: unused,
      lookup: async ({ call_id }) => {
        await step("lookup");
        const call = this.calls.get(call_id);
        return call ? eventOf(call, this.#statusOf(call), this.#heard(call)) : null;
      },
      hangup: async ({ call_id }) => {
        const call = this.calls.get(call_id);
        if (call) call.endsAt = Math.min(call.endsAt, this.#now());
        await step("hangup");
      },
    };
  }

  /** Who the carrier says picked up: only after it has listened for a while does it know a machine. */
  #heard({ answersAt, machine }: VirtualCall): CallEvent["answered_by"] {
    return machine && answersAt !== null && answersAt + LISTENS <= this.#now() ? "machine" : null;
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
      // The end is heard of when it comes, the answer only after it.
      return reports.map((report) => ({
        ...report,
        at: report.status === "in-progress" ? report.at + 2 * talks : report.at,
      }));
  }
}

function eventOf({ id }: VirtualCall, status: CallStatus, answered_by: CallEvent["answered_by"]): CallEvent {
  return { provider_call_id: id, status, answered_by, reason: "", recording: null };
}
