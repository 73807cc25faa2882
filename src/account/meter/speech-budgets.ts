import type { CumulativeUse } from "./budget-consumers.ts";
import type { BudgetLedger } from "./budget-ledger.ts";
import { type Consumer, periodEnd, retryAt } from "./budget-rules.ts";
import type { VisitorDays } from "./visitor-days.ts";

/** A part of a conversation that the agent's own voice is about to speak. */
export interface SpeechReservation {
  /** The visitor or tester who listens. */
  visitor: string;
  /** The number of the part in the conversation, counted from 1. */
  n: number;
  chars: number;
  /** The conversation's use so far. */
  use: CumulativeUse;
}

/** A part that was reserved and not spoken. */
export interface UnspokenPart extends Pick<SpeechReservation, "visitor" | "chars"> {
  /** When the characters were reserved, ms. */
  reserved_at: number;
}

/** Whether a part may be spoken. */
export type SpeechAdmission =
  | { outcome: "admitted" }
  | { outcome: "refused"; code: "speech_limit" | "budget_reached" | "account_closed"; retryAfterMs: number };

interface Speaker {
  id: string;
  object: string;
  consumer: Consumer;
}

interface Dependencies {
  ledger: BudgetLedger;
  visitorDays: VisitorDays;
}

/**
 * Limits speech: budgets of `speech_chars`, and how much visitors and widget keys may hear per day. A reached budget
 * ends no conversation, because the browser's voice takes over. All methods are synchronous.
 */
export class SpeechBudgets {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Reserves the characters of a part before its vendor is asked to speak it. */
  reserve({ id, object, consumer }: Speaker, part: SpeechReservation, now: number): SpeechAdmission {
    const { ledger, visitorDays } = this.#deps;
    const { visitor, n, chars, use } = part;
    const listener = { visitor, key: consumer.widget_key_id, guest: consumer.guest };
    if (!visitorDays.hasSpeechLeft(listener, chars, now)) return refused("speech_limit", periodEnd("day", now), now);
    const own = idOf(id);
    ledger.open({ id: own, object, consumer }, "speech_chars", now);
    ledger.settle(own, use, now);
    if (!ledger.reserve(own, n, chars, now, true)) {
      const room = ledger.roomFor(consumer, "speech_chars", chars, now);
      return refused("budget_reached", retryAt(room, now), now);
    }
    visitorDays.countSpeech(listener, chars, now);
    return { outcome: "admitted" };
  }

  /**
   * Removes a part that was not spoken from the day's counts. Its budgets are freed when the conversation reports its
   * use.
   */
  giveBack({ widget_key_id, guest }: Consumer, { visitor, chars, reserved_at }: UnspokenPart): void {
    this.#deps.visitorDays.uncountSpeech({ visitor, key: widget_key_id, guest }, chars, reserved_at);
  }

  /** Charges the use of a conversation that is over. */
  leave(id: string, use: CumulativeUse, now: number): void {
    this.#deps.ledger.close(idOf(id), use, now);
  }
}

/** Distinguishes the consumer id of a conversation's speech from the conversation's own id. */
const PREFIX = "speech/";
const idOf = (id: string) => PREFIX + id;

/** Returns the id of the conversation whose speech is charged under `id`. */
export const spokenIn = (id: string): string => id.slice(PREFIX.length);

function refused(code: "speech_limit" | "budget_reached", until: number, now: number): SpeechAdmission {
  return { outcome: "refused", code, retryAfterMs: until - now };
}
