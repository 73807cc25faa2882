import type { AccountStore } from "../../kernel/db/account-store.ts";
import { ApiError, conflict } from "../../kernel/http/errors.ts";
import type { ConversationStore } from "./store/conversation-store.ts";
import { CALL_ENDED, MACHINE } from "./turns/quiet-watch.ts";

export interface HandoverDependencies {
  store: ConversationStore;
  /** Returns the present number of the agent's transfer target with this label. @throws ApiError 403 `not_a_target` */
  numberOf(label: string): Promise<string>;
  /**
   * Makes the carrier transfer the call. Calls `asking` right before the request to the carrier.
   * @throws ApiError; `carrier_unknown` without a response
   */
  transfer(toNumber: string, accountStore: AccountStore, asking: () => void): Promise<void>;
  /** Returns whether the call continues, according to its carrier. */
  callGoesOn(): Promise<boolean>;
  end(reason: string): Promise<void>;
  report(error: unknown): void;
}

/** The end reason of a conversation whose caller was transferred. */
export const TRANSFERRED = "transferred";
/** Reasons that may mean a transfer, because they only say that the caller has left. */
const CALLER_GONE = ["caller_hung_up", "disconnected", CALL_ENDED, TRANSFERRED];

/**
 * Transfers the caller, and distinguishes that from a caller who hangs up. In both cases the carrier closes the socket,
 * often before it confirms the transfer, and sometimes it never confirms it.
 */
export class Handover {
  readonly #deps: HandoverDependencies;
  #underWay: { toNumber: string; done: Promise<void> } | null = null;
  /** Why the conversation ends if the carrier refuses the transfer; null if no end was reported during the request. */
  #endsElse: string | null = null;

  constructor(deps: HandoverDependencies) {
    this.#deps = deps;
  }

  /** Transfers the caller to one of the agent's targets. @throws ApiError with what prevents it */
  async giveTo(label: string, accountStore: AccountStore): Promise<void> {
    await this.give(await this.#deps.numberOf(label), accountStore);
  }

  /**
   * Transfers the caller; idempotent for the same number. After a request whose outcome is unknown, nothing is requested
   * again, because the caller may be talking with the target.
   * @throws ApiError with what prevents it
   */
  async give(toNumber: string, accountStore: AccountStore): Promise<void> {
    const { transferred_to, transfer_requested } = this.#deps.store.existing;
    if (transferred_to === toNumber) return;
    if (transferred_to !== null)
      throw conflict("already_transferred", "the caller was already transferred to another number");
    if (this.#underWay?.toNumber === toNumber) return this.#underWay.done;
    if (this.#underWay)
      throw conflict("transfer_under_way", "the caller is already being transferred to another number");
    if (transfer_requested !== null)
      throw new ApiError(500, "carrier_unknown", "the carrier did not confirm an earlier transfer of the caller");
    const done = this.#ask(toNumber, accountStore);
    this.#underWay = { toNumber, done };
    return done;
  }

  async #ask(toNumber: string, accountStore: AccountStore): Promise<void> {
    const { store, transfer } = this.#deps;
    const { id } = store.existing;
    // The conversation may be erased in the meantime.
    const note = (changes: { transferred_to?: string; archived?: 0; transfer_requested: string | null }) => {
      if (store.row?.id === id) store.update(changes);
    };
    const asking = () => {
      note({ transfer_requested: toNumber });
      store.flush();
    };
    try {
      await transfer(toNumber, accountStore, asking);
      // A conversation that ended in the meantime may already be archived without the transfer.
      note({ transferred_to: toNumber, archived: 0, transfer_requested: null });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "carrier_unknown") note({ transfer_requested: null });
      throw error;
    } finally {
      this.#underWay = null;
      store.flush();
      if (store.row?.id === id) this.#endLater();
    }
  }

  /** Ends a conversation whose end was withheld, once its tool's result is recorded. */
  #endLater(): void {
    const { store, end, report } = this.#deps;
    const { transferred_to, ended_at, end_reason } = store.existing;
    const ended = this.#endsElse ?? (ended_at === null ? null : end_reason);
    const reason = transferred_to === null ? ended : TRANSFERRED;
    this.#endsElse = null;
    if (reason !== null) setTimeout(() => end(reason).catch(report), 0);
  }

  /**
   * Returns why the conversation really ended, given the reported reason. Returns null if only the carrier's pending
   * response can tell; that response then ends the conversation.
   */
  async whyEnded(reason: string): Promise<string | null> {
    const { store } = this.#deps;
    if (store.row === null) return reason;
    if (store.row.transferred_to !== null) return TRANSFERRED;
    if (store.row.machine === 1) return MACHINE;
    if (this.#underWay) {
      this.#endsElse ??= reason;
      return null;
    }
    const { id, transfer_requested } = store.row;
    if (transfer_requested === null || !CALLER_GONE.includes(reason) || !(await this.#goesOn())) return reason;
    // The caller left and the call continues, so the carrier did transfer them.
    if (store.row?.id === id)
      store.update({ transferred_to: transfer_requested, archived: 0, transfer_requested: null });
    return TRANSFERRED;
  }

  /** Discards a transfer that the carrier never confirmed, because the call is over or the caller is still here. */
  discardUnconfirmed(): void {
    const { store } = this.#deps;
    if (store.row !== null && !this.#underWay) store.update({ transfer_requested: null });
  }

  async #goesOn(): Promise<boolean> {
    const { callGoesOn, report } = this.#deps;
    try {
      return await callGoesOn();
    } catch (error) {
      report(error);
      return false;
    }
  }
}
