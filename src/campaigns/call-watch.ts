import { isTerminal } from "../calls/status.ts";
import type { CallEvent, CallRef } from "../carriers/carrier.ts";
import type { CampaignBook } from "./book.ts";
import { WAVE } from "./dispatch.ts";
import type { DispatchPorts } from "./dispatcher.ts";
import type { AttemptRow } from "./storage/attempts.ts";

/** The most requests to a carrier at a time: workerd lets six connections wait for their answer. */
export const AT_A_TIME = 6;
/** How long a carrier that cannot be reached is asked again about a call, beyond the call's own limit, ms. */
const LOOKUP_PATIENCE = 60_000;
const LOOKUP_AGAIN = 5_000;

/** Sees to calls that fell silent, and hangs up those a machine answered. */
export class CallWatch {
  readonly #book: CampaignBook;
  readonly #ports: Pick<DispatchPorts, "now" | "carrier" | "limits">;

  constructor(book: CampaignBook, ports: Pick<DispatchPorts, "now" | "carrier" | "limits">) {
    this.#book = book;
    this.#ports = ports;
  }

  /** Sees to all whose time has come but those that are `dialing` right now; gives how many. */
  async round(dialing: ReadonlySet<string>): Promise<number> {
    const { attempts } = this.#book;
    const silent = [
      ...attempts.interrupted().filter(({ call_id }) => !dialing.has(call_id)),
      ...attempts.overdue(this.#ports.now(), WAVE),
    ];
    await inParallel(silent.filter(distinct), (attempt) => this.resolve(attempt));
    const hangups = attempts.toHangUp(WAVE);
    await inParallel(hangups, (attempt) => this.#hangUp(attempt));
    return silent.length + hangups.length;
  }

  /** Asks the carrier about a call that fell silent. Where it cannot tell, the call is over and is not made again. */
  async resolve(attempt: AttemptRow): Promise<void> {
    const { call_id } = attempt;
    let event: CallEvent | null;
    try {
      const { carrier } = await this.#ports.carrier();
      event = await carrier.lookup(this.#ref(attempt));
    } catch {
      const now = this.#ports.now();
      // The final event may have come while the carrier was being asked.
      if (this.#book.attempts.get(call_id)?.state === "ended") return;
      if (now < this.#limitOf(attempt) + LOOKUP_PATIENCE) {
        return this.#book.attempts.update(call_id, { state: "placed", deadline: now + LOOKUP_AGAIN });
      }
      // Nobody will ask again: if the call still runs, it must not outlive its slot.
      await this.#hangUp(attempt);
      event = null;
    }
    const now = this.#ports.now();
    if (event === null) return this.#book.calls.end(call_id, "unknown", "failed", "unknown", now);
    this.#book.calls.news(call_id, event, this.#ports.limits, now);
    const after = this.#book.attempts.get(call_id);
    if (!after || after.state === "ended") return;
    if (after.state === "dialing") this.#book.calls.placed(call_id, event.provider_call_id, now);
    if (after.deadline !== null && after.deadline <= now) await this.#endSilent(after, now);
  }

  /** The carrier says it still runs, past all limits: we end it. */
  async #endSilent(attempt: AttemptRow, now: number): Promise<void> {
    await this.#hangUp(attempt);
    const status = attempt.connected_at === null ? "no-answer" : "completed";
    const { provider_call_id } = attempt;
    this.#book.calls.news(
      attempt.call_id,
      { provider_call_id, status, answered_by: null, reason: "no_final_event", recording: null },
      this.#ports.limits,
      now,
    );
  }

  async #hangUp(attempt: AttemptRow): Promise<void> {
    try {
      const { carrier } = await this.#ports.carrier();
      await carrier.hangup(this.#ref(attempt));
    } catch {
      // The carrier ends the call at its own time limit; there is nothing more to be done from here.
    }
    const current = this.#book.attempts.get(attempt.call_id);
    if (current?.hangup === 1) {
      this.#book.attempts.update(attempt.call_id, {
        ...{ hangup: 0, lease: "free" },
        ...(isTerminal(current.status) ? {} : { status: "completed" }),
      });
    }
  }

  /** When the call should be over at the latest, ms. */
  #limitOf({ connected_at, dialled_at }: AttemptRow): number {
    const { ring, duration } = this.#ports.limits;
    return connected_at === null ? dialled_at + ring : connected_at + duration;
  }

  #ref(attempt: AttemptRow): CallRef {
    const { account } = this.#book.campaign.known;
    return {
      account,
      call_id: attempt.call_id,
      provider_call_id: attempt.provider_call_id,
      from_number: this.#book.campaign.settings.from_number ?? "",
      to_number: `+${this.#book.contacts.get(attempt.contact)?.phone ?? ""}`,
      placed_at: attempt.dialled_at,
    };
  }
}

function distinct(attempt: AttemptRow, i: number, all: AttemptRow[]): boolean {
  return all.findIndex(({ call_id }) => call_id === attempt.call_id) === i;
}

/** Works through the items, a few at a time. */
async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, items.length) }, worker));
}
