import type { ConversationUse, Credit } from "../../../account/meter/live-lease.ts";
import type { ConversationLease } from "../session/live-lease.ts";
import type { TalkStore } from "../store/talk-store.ts";
import { type Charge, chargeOf, cutOff, openCharge } from "./charge.ts";
import type { RequestSize } from "./request-size.ts";

/** The budget for the requests of one answer. */
export interface TurnBudget {
  /**
   * Reserves and begins a request of this size; `slow` is called if that takes a while. Returns `refused` if a budget
   * is used up, `unanswered` if the meter did not respond in time.
   */
  reserve(size: RequestSize, slow: () => void): Promise<Charge | "refused" | "unanswered">;
  /** Settles what was used, and reserves for the next requests meanwhile. */
  renew(): void;
}

interface Dependencies {
  store: Pick<TalkStore, "row" | "existing" | "log" | "update">;
  lease: Pick<ConversationLease, "renew" | "renewed" | "ask">;
  /** The most tokens of one answer. */
  maxOutput(): number;
  report(error: unknown): void;
  /** Milliseconds. */
  now(): number;
  wait(ms: number): Promise<void>;
}

/** How long a reservation may take before the filler is spoken, and before the request is given up, ms. */
const SLOW_AFTER_MS = 600;
const ANSWER_WITHIN_MS = 2_000;
/** How much larger the next request may be than the last, tokens: room for new turns and tool results. */
const GROWTH = 2_000;

const NONE: Credit = { through: 0, each: 0, until: 0, turns: null };

/**
 * Covers each model request of a conversation by a reservation: from credit that was reserved ahead, so that the caller
 * does not wait, otherwise by asking the meter. The usage is stored with the conversation.
 */
export class RequestBudget implements TurnBudget {
  readonly #deps: Dependencies;
  #credit = NONE;
  /** The number of requests begun. */
  #begun: number | null = null;
  /** The input of the last request, tokens. */
  #lastInput = 0;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  get use(): ConversationUse {
    const { input_tokens, output_tokens, requests } = this.#deps.store.existing;
    return { input_tokens, output_tokens, requests };
  }

  /** The most tokens that the next request may use; 0 if a custom runtime asks its own model. */
  get next(): number {
    if (this.#deps.store.existing.held_by === "own") return 0;
    return this.#lastInput + GROWTH + this.#deps.maxOutput();
  }

  take(credit: Credit): void {
    this.#credit = credit;
  }

  /** Records the size of a request, so that the next one can be reserved ahead. */
  expect(size: RequestSize): void {
    this.#lastInput = size.input;
  }

  /** Whether the budget allows an answer to the other side's current turn. */
  get allowsTurn(): boolean {
    const { turns } = this.#credit;
    return turns === null || turnsIn(this.#deps.store.log) <= turns;
  }

  /** Revokes the credit, so that each request must ask. */
  revoke(): void {
    this.#credit = Object.assign({}, this.#credit, { through: 0 });
  }

  async reserve(size: RequestSize, slow: () => void): Promise<Charge | "refused" | "unanswered"> {
    this.expect(size);
    if (!this.#isCovered(size)) {
      const outcome = await this.#cover(size, slow);
      if (outcome !== "covered") return outcome;
    }
    // The limit on turns is known from here on, even to an object that was rebuilt since the last turn.
    return this.allowsTurn ? this.#begin(size) : "refused";
  }

  renew(): void {
    this.#deps.lease.renew();
  }

  /**
   * Charges a request that an earlier instance of the object left open, with the part of the answer that had arrived.
   */
  resume(streamedBytes: number): void {
    const { store } = this.#deps;
    const input = store.existing.open_request;
    if (input === null) return;
    this.#over(chargeOf({ input, output: this.#deps.maxOutput() }, cutOff(streamedBytes)));
  }

  get #started(): number {
    const { requests, open_request } = this.#deps.store.existing;
    this.#begun ??= requests + (open_request === null ? 0 : 1);
    return this.#begun;
  }

  #isCovered({ input, output }: RequestSize): boolean {
    const { through, each, until } = this.#credit;
    return this.#started < through && input + output <= each && this.#deps.now() < until;
  }

  async #cover(size: RequestSize, slow: () => void): Promise<"covered" | "refused" | "unanswered"> {
    const { wait } = this.#deps;
    const reservation = this.#ask(size);
    const inTime = async (ms: number) => {
      await wait(ms);
      return null;
    };
    const soon = await Promise.race([reservation, inTime(SLOW_AFTER_MS)]);
    if (soon !== null) return soon;
    slow();
    return (await Promise.race([reservation, inTime(ANSWER_WITHIN_MS - SLOW_AFTER_MS)])) ?? "unanswered";
  }

  /** Waits for a pending renewal of credit. If the new credit does not cover the request, reserves this one request. */
  async #ask(size: RequestSize): Promise<"covered" | "refused" | "unanswered"> {
    const { lease, report } = this.#deps;
    // A rebuilt object has neither credit nor the limit on turns; both come with the lease.
    if (this.#credit === NONE) lease.renew();
    await lease.renewed();
    if (this.#isCovered(size)) return "covered";
    try {
      return (await lease.ask(this.#started + 1, size.input + size.output)) ? "covered" : "refused";
    } catch (error) {
      report(error);
      return "unanswered";
    }
  }

  #begin(size: RequestSize): Charge {
    const { store } = this.#deps;
    const conversation = store.existing.id;
    this.#begun = this.#started + 1;
    store.update({ open_request: size.input });
    return openCharge(size, (charged) => {
      if (store.row?.id === conversation) this.#over(charged);
    });
  }

  #over({ input, output }: { input: number; output: number }): void {
    const { store } = this.#deps;
    const { input_tokens, output_tokens, requests } = store.existing;
    store.update({
      input_tokens: input_tokens + input,
      output_tokens: output_tokens + output,
      requests: requests + 1,
      open_request: null,
    });
  }
}

/**
 * Counts the other side's turns that were answered by words or a tool, including the one that waits for its answer.
 * What is said again before an answer begins belongs to the same turn.
 */
function turnsIn(log: TalkStore["log"]): number {
  let turns = 0;
  let isWaiting = false;
  for (const { event } of log) {
    if (event.type === "user_turn" && !isWaiting) turns++;
    if (event.type === "user_turn") isWaiting = true;
    else if (event.type === "agent_turn" || event.type === "tool_call") isWaiting = false;
  }
  return turns;
}
