import type { ObjectPart } from "../kernel/durable/object-part.ts";
import { accountGate, accountMeter } from "../kernel/durable/objects.ts";
import type { Reader } from "../kernel/http/credential.ts";
import { ApiError } from "../kernel/http/errors.ts";
import type { StreamGate } from "../kernel/streams/open-streams.ts";
import { streamGate } from "../kernel/streams/stream-gate.ts";
import type { CampaignRow } from "./store/campaign-row.ts";
import type { CampaignStore } from "./store/campaign-store.ts";

/** An upload being read: its sender, and how to abort it. */
interface Reading {
  reader: Reader;
  abort: AbortController;
}

/**
 * A campaign's claims on its account's quotas: an upload while it is read, its open streams, and the campaign itself.
 */
export class QuotaClaims {
  readonly streams: StreamGate;
  readonly #env: Pick<Env, "ACCOUNT_GATE" | "ACCOUNT_METER">;
  readonly #name: { account: string; id: string };
  readonly #report: (error: unknown) => void;
  #reading: Reading | null = null;
  #isEndReported = false;

  constructor(
    env: Pick<Env, "ACCOUNT_GATE" | "ACCOUNT_METER">,
    name: { account: string; id: string },
    report: (error: unknown) => void,
  ) {
    this.#env = env;
    this.#name = name;
    this.#report = report;
    this.streams = streamGate(env, name.account, this.#owner);
  }

  get #owner(): { type: "campaign"; id: string } {
    return { type: "campaign", id: this.#name.id };
  }

  get #gate() {
    return accountGate(this.#env, this.#name.account);
  }

  get #meter() {
    return accountMeter(this.#env, this.#name.account);
  }

  async uploading<T>(reader: Reader, read: (revoked: AbortSignal) => Promise<T>): Promise<T> {
    return this.appending(reader, async (revoked) => {
      await this.#gate.openCampaign(this.#name.id);
      try {
        return await read(revoked);
      } finally {
        await this.listed();
      }
    });
  }

  /**
   * Reads an upload for a campaign that already counts as open. The signal reports that its sender may no longer send
   * it. @throws ApiError over the quota of concurrent uploads
   */
  async appending<T>(reader: Reader, read: (revoked: AbortSignal) => Promise<T>): Promise<T> {
    await this.#meter.beginUpload(this.#owner, { id: this.#name.id, reader });
    const abort = new AbortController();
    this.#reading = { reader, abort };
    try {
      return await read(abort.signal);
    } finally {
      this.#reading = null;
      await this.uploaded();
    }
  }

  /** Ends the upload if its sender lost the permission to send it. */
  revokeUpload(ids: string[], reason: string): void {
    if (!ids.includes(this.#name.id)) return;
    this.#reading?.abort.abort(
      new ApiError(403, reason, "the upload was ended, because its sender no longer has access"),
    );
  }

  async keepUpload(): Promise<void> {
    if (this.#reading === null) return;
    const { reader } = this.#reading;
    await this.#meter.keepUpload(this.#owner, { id: this.#name.id, reader }).catch(this.#report);
  }

  /** Releases the claim of an upload that was read or given up. */
  async uploaded(): Promise<void> {
    await this.#meter.endUpload(this.#name.id).catch(this.#report);
  }

  /** Releases the claim of a campaign that was being created and is now listed or deleted. */
  async listed(): Promise<void> {
    await this.#gate.campaignListed(this.#name.id).catch(this.#report);
  }

  /** Claims a place among the open campaigns for a campaign that had ended. @throws ApiError over the quota */
  async reopen(): Promise<void> {
    await this.#gate.openCampaign(this.#name.id);
  }

  /** Undoes `reopen`. */
  async close(): Promise<void> {
    await this.#gate.campaignEnded(this.#name.id).catch(this.#report);
  }

  /** Tells the gate that the campaign has ended. The row in D1 would also show that, but D1 may be unavailable. */
  async sayIfEnded(row: CampaignRow | null): Promise<void> {
    if (this.#owesEnd(row)) await this.#gate.campaignEnded(this.#name.id);
    this.#isEndReported = row !== null && row.ended_at !== null;
  }

  /** Returns the part that tells the gate when the campaign has ended. */
  endPart({ campaign }: Pick<CampaignStore, "campaign">): ObjectPart {
    return {
      dueAt: () => (this.#owesEnd(campaign.row) ? 0 : null),
      run: () => this.sayIfEnded(campaign.row),
    };
  }

  /** Checks whether the campaign has ended and this instance of its object hasn't told the gate. */
  #owesEnd(row: CampaignRow | null): boolean {
    const over = row !== null && row.ended_at !== null;
    // A reopened campaign has another end to report.
    if (!over) this.#isEndReported = false;
    return over && !this.#isEndReported;
  }
}
