import type { Author } from "../../kernel/db/account-store.ts";
import { giveWay } from "../../kernel/durable/give-way.ts";
import { conflict, notFound } from "../../kernel/http/errors.ts";
import type { Outcome } from "../decide/state.ts";
import { assertRoom } from "../guard.ts";
import type { CampaignRow } from "../store/campaign-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { redialRefusal } from "./decide.ts";
import { beginRedial, REDIALLED_A_PIECE, redialSome } from "./redial.ts";

interface OpenClaim {
  /** Counts the campaign as open again. @throws ApiError 403 over the quota */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** How long a request works on its redial before it leaves the rest to the alarm, ms. */
const LONGEST_MS = 2_000;

export class Redials {
  readonly #store: CampaignStore;
  readonly #claim: OpenClaim;

  constructor(store: CampaignStore, claim: OpenClaim) {
    this.#store = store;
    this.#claim = claim;
  }

  /** Does the next step of the redial in progress. */
  round(now: number): void {
    redialSome(this.#store, REDIALLED_A_PIECE, now);
  }

  /**
   * Makes failed contacts with these outcomes pending again, in the background if there are many. Returns how many.
   * @param begun called as soon as the redial is stored
   * @param operation the ID of the request, if it is fixed by an idempotency key; a redial with the same ID isn't
   * repeated
   * @throws ApiError 403, 404, 409
   */
  async redial(
    named: Outcome[],
    author: Author,
    now: () => number,
    begun: () => Promise<void>,
    operation: string | null = null,
  ): Promise<number> {
    const outcomes = [...new Set(named)];
    this.#existing();
    const before = this.#store.operations.find(operation);
    if (before) return before.contacts;
    if (!this.#admit(outcomes)) return 0;
    if (this.#existing().status === "completed") await this.#reopen(outcomes);
    const until = now() + LONGEST_MS;
    const contacts = beginRedial(this.#store, outcomes, author, now(), operation);
    await begun();
    while (this.#existing().redial !== null && now() < until) {
      this.round(now());
      await giveWay();
    }
    return contacts;
  }

  /** Checks whether there is any contact to redial. @throws ApiError 404, 409 */
  #admit(outcomes: Outcome[]): boolean {
    const { repairs } = this.#store;
    const refusal = redialRefusal(this.#existing());
    if (refusal) throw refusal;
    assertRoom(this.#store);
    const talking = repairs.stillTalking(outcomes);
    if (talking > 0)
      throw conflict(
        "calls_under_way",
        `${talking} calls to these contacts are still being hung up; try again in a moment`,
      );
    return repairs.failed(outcomes, [], 1).length > 0;
  }

  async #reopen(outcomes: Outcome[]): Promise<void> {
    await this.#claim.reopen();
    try {
      // The campaign may have changed in the meantime.
      if (!this.#admit(outcomes)) throw conflict("wrong_state", "the contacts were redialed in the meantime");
    } catch (error) {
      if (this.#store.campaign.row?.status !== "paused") await this.#claim.close();
      throw error;
    }
  }

  #existing(): CampaignRow {
    const { row } = this.#store.campaign;
    if (row === null) throw notFound("campaign");
    return row;
  }
}
