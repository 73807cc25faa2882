import { accountGate, accountMeter } from "../kernel/durable/objects.ts";
import { ApiError } from "../kernel/http/errors.ts";
import type { Reader } from "../kernel/http/pass.ts";
import type { StreamGate } from "../kernel/streams/open-streams.ts";
import { streamGate } from "../kernel/streams/stream-gate.ts";
import { isOver } from "./decide/state.ts";
import type { CampaignRow } from "./store/campaign-row.ts";

/** An upload that is being read: who sends it, and what ends it early. */
interface Reading {
  reader: Reader;
  abort: AbortController;
}

/** What a campaign claims of its account's quotas: an upload while it is read, its open streams, and itself. */
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

  /** Reads an upload of the new campaign. @throws ApiError over the quota of uploads or of open campaigns */
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
   * Reads an upload for a campaign that already counts as open; the signal reports that its sender may no longer send
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

  /** The sender of the upload has lost the permission to send it. */
  revokeUpload(ids: string[], reason: string): void {
    if (!ids.includes(this.#name.id)) return;
    this.#reading?.abort.abort(new ApiError(403, reason, "the upload was ended: its sender has no access any more"));
  }

  /** Renews the claim of an upload that is still being read. */
  async keepUpload(): Promise<void> {
    if (this.#reading === null) return;
    const { reader } = this.#reading;
    await this.#meter.keepUpload(this.#owner, { id: this.#name.id, reader }).catch(this.#report);
  }

  /** Releases the claim of an upload that has been read or given up. */
  async uploaded(): Promise<void> {
    await this.#meter.endUpload(this.#name.id).catch(this.#report);
  }

  /** The campaign that was being created is listed, or gone. */
  async listed(): Promise<void> {
    await this.#gate.campaignListed(this.#name.id).catch(this.#report);
  }

  /** Claims a place among the open campaigns for one that had ended. @throws ApiError over the quota */
  async reopen(): Promise<void> {
    await this.#gate.openCampaign(this.#name.id);
  }

  /** Gives that place back. */
  async close(): Promise<void> {
    await this.#gate.campaignEnded(this.#name.id).catch(this.#report);
  }

  /** Tells the gate that the campaign has ended, since D1, which lists it, may be unavailable. */
  async sayIfEnded(row: CampaignRow | null): Promise<void> {
    if (this.owesEnd(row)) await this.#gate.campaignEnded(this.#name.id);
    this.#isEndReported = row !== null && isOver(row.status);
  }

  /** Whether the campaign has ended and this instance of its object has not told the gate. */
  owesEnd(row: CampaignRow | null): boolean {
    const over = row !== null && isOver(row.status);
    // Open again, it has another end to report.
    if (!over) this.#isEndReported = false;
    return over && !this.#isEndReported;
  }
}
