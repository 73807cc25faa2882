import type { CumulativeUse } from "../../../account/meter/budget-consumers.ts";
import type {
  ConversationAdmission,
  ConversationRenewal,
  ConversationUse,
  Credit,
  LiveLease,
} from "../../../account/meter/live-lease.ts";
import type { SpeechAdmission, SpeechReservation, UnspokenPart } from "../../../account/meter/speech-budgets.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import { credentialOf } from "../../../kernel/http/credential-holder.ts";
import { tooMany } from "../../../kernel/http/errors.ts";
import type { ConversationStore } from "../store/conversation-store.ts";

/** The account's meter, as a conversation uses it. */
export interface Meter {
  admit(lease: LiveLease): Promise<ConversationAdmission>;
  renew(lease: LiveLease, use: ConversationUse, next: number): Promise<ConversationRenewal>;
  reserveRequest(lease: LiveLease, use: ConversationUse, n: number, tokens: number): Promise<boolean>;
  reserveSpeech(lease: LiveLease, part: SpeechReservation): Promise<SpeechAdmission>;
  giveBackSpeech(lease: LiveLease, part: UnspokenPart): Promise<void>;
  leave(id: string, use: ConversationUse, speech: CumulativeUse | null): Promise<void>;
}

/** The conversation's budget, as its lease settles it. */
interface Budget {
  readonly use: ConversationUse;
  readonly next: number;
  take(credit: Credit): void;
}

export interface LeaseDependencies {
  store: ConversationStore;
  meter(): Meter;
  budget(): Budget;
  /** Ends the conversation, because it lost its permission to continue. */
  revoked(reason: string): Promise<void>;
  report(error: unknown): void;
}

const REFUSED = {
  conversation_cap: "too many conversations are live",
  budget_reached: "a budget of the account is used up",
};

/**
 * The conversation's lease at the account's meter. It is taken before the conversation begins, renewed after every
 * turn, and returned at the end.
 */
export class ConversationLease {
  readonly #deps: LeaseDependencies;
  #renewing: Promise<void> | null = null;
  #again = false;
  /** The conversation whose lease was returned, with what it had used by then. */
  #left: { id: string; used: string; reported: Promise<void>; isReported: boolean } | null = null;

  constructor(deps: LeaseDependencies) {
    this.#deps = deps;
  }

  /** Takes the lease before a conversation begins. @throws ApiError 429 `conversation_cap`, `budget_reached` */
  async take(holding: Holding): Promise<void> {
    const admission = await this.#deps.meter().admit(leaseOf(holding));
    if (admission.outcome === "refused") throw tooMany(admission.code, REFUSED[admission.code], admission.retryAfterMs);
    this.#deps.budget().take(admission.credit);
  }

  /** Gives back the lease of a conversation that did not begin. */
  drop(id: string): void {
    this.#deps.meter().leave(id, NO_USE, null).catch(this.#deps.report);
  }

  /**
   * Renews the lease, settles what was used and reserves for the next requests, without delaying the caller. A call
   * during a renewal causes one more renewal afterwards.
   */
  renew(): void {
    if (this.#renewing) {
      this.#again = true;
      return;
    }
    this.#renewing = this.#renew()
      .catch(this.#deps.report)
      .finally(() => {
        this.#renewing = null;
        if (!this.#again) return;
        this.#again = false;
        this.renew();
      });
  }

  /** Resolves when no renewal is in progress that may bring credit. */
  async renewed(): Promise<void> {
    await this.#renewing;
  }

  /** Reserves the conversation's request `n` of up to this many tokens. Returns false if a budget is used up. */
  async ask(n: number, tokens: number): Promise<boolean> {
    const { store, meter, budget } = this.#deps;
    return meter().reserveRequest(leaseOf(holdingOf(store)), budget().use, n, tokens);
  }

  /** Reserves a part that the agent's own voice is about to speak. */
  reserveSpeech(part: SpeechReservation): Promise<SpeechAdmission> {
    const { store, meter } = this.#deps;
    return meter().reserveSpeech(leaseOf(holdingOf(store)), part);
  }

  /** Gives back a part that was reserved and not spoken. */
  giveBackSpeech(part: UnspokenPart): Promise<void> {
    const { store, meter } = this.#deps;
    return meter().giveBackSpeech(leaseOf(holdingOf(store)), part);
  }

  async #renew(): Promise<void> {
    const { store, meter, budget, revoked } = this.#deps;
    if (store.row === null || store.row.ended_at !== null) return;
    const { id } = store.row;
    const { use, next } = budget();
    const renewal = await meter().renew(leaseOf(holdingOf(store)), use, next);
    if (store.row?.id !== id) return;
    if (renewal.outcome === "ok") budget().take(renewal.credit);
    else await revoked(renewal.reason);
  }

  /** Gives the lease back after the conversation has ended. A failure is retried. */
  leave(): void {
    this.left().catch(this.#deps.report);
  }

  /**
   * Resolves when the meter has recorded the conversation's end and its usage, including usage reported after the end.
   * @throws if the meter cannot be reached
   */
  left(): Promise<void> {
    const { store, meter, budget } = this.#deps;
    if (store.row === null) return Promise.resolve();
    const { id } = store.row;
    const { use } = budget();
    const { speech_chars, speech_parts } = store.row;
    const used = [use.input_tokens, use.output_tokens, speech_chars, speech_parts].join(" ");
    if (this.#left?.id === id && this.#left.used === used) return this.#left.reported;
    const speech = speech_parts === 0 ? null : { total: speech_chars, requests: speech_parts };
    const leaving = { id, used, reported: meter().leave(id, use, speech), isReported: false };
    this.#left = leaving;
    leaving.reported.then(
      () => {
        leaving.isReported = true;
      },
      () => {
        if (this.#left === leaving) this.#left = null;
      },
    );
    return leaving.reported;
  }

  /** Whether the meter knows that the conversation is over. */
  get isLeft(): boolean {
    return this.#left?.isReported === true && this.#left.id === this.#deps.store.row?.id;
  }
}

const NO_USE: ConversationUse = { input_tokens: 0, output_tokens: 0, requests: 0 };

/** The participant of a conversation, the address, and the API key of a custom runtime that holds it. */
export interface Holding {
  id: string;
  identity: SessionIdentity;
  address: string | null;
  api_key_id: string | null;
}

function holdingOf({ existing, identity, session }: ConversationStore): Holding {
  const api_key_id = identity.kind === "widget" ? session.api_key_id : null;
  return { id: existing.id, identity, address: existing.address, api_key_id };
}

function leaseOf({ id, identity, address, api_key_id }: Holding): LiveLease {
  const { kind, agent_id, key } = identity;
  const campaign_id = identity.kind === "call" ? identity.campaign_id : null;
  const holder = holderOf(identity, address);
  return { id, kind, object: { type: "conversation", id: key }, agent_id, campaign_id, api_key_id, holder };
}

function holderOf(identity: SessionIdentity, address: string | null): LiveLease["holder"] {
  switch (identity.kind) {
    case "call":
      return { type: "call" };
    case "test":
      return {
        type: "member",
        credential: credentialOf(identity.holder),
        until: identity.expires_at,
        view: identity.holder.view,
      };
    case "widget": {
      const { visitor, key_id: widget_key_id, key: family, origin, made_by } = identity;
      const { id: visitor_id, type: visitor_type } = visitor;
      return { type: "visitor", visitor_id, visitor_type, widget_key_id, family, origin, made_by, address };
    }
  }
}
