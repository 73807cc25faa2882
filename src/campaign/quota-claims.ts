import { accountGate } from "../kernel/durable/objects.ts";
import type { StreamGate } from "../kernel/streams/open-streams.ts";
import { streamGate } from "../kernel/streams/stream-gate.ts";
import { isOver } from "./decide/state.ts";
import type { CampaignRow } from "./store/campaign-row.ts";

/** What a campaign claims of its account's quotas: an upload while it is read, its open streams, and itself. */
export class QuotaClaims {
  readonly streams: StreamGate;
  readonly #gate: () => ReturnType<typeof accountGate>;
  readonly #id: string;
  readonly #report: (error: unknown) => void;
  #endIsKnown = false;

  constructor(
    env: Pick<Env, "ACCOUNT_GATE">,
    { account, id }: { account: string; id: string },
    report: (error: unknown) => void,
  ) {
    this.#gate = () => accountGate(env, account);
    this.#id = id;
    this.#report = report;
    this.streams = streamGate(env, account, id);
  }

  /** Reads an upload of the new campaign. @throws ApiError over the quota of uploads or of open campaigns */
  async uploading<T>(read: () => Promise<T>): Promise<T> {
    await this.#gate().beginUpload(this.#id);
    try {
      return await read();
    } finally {
      await this.uploaded();
    }
  }

  /** Reads an upload for the campaign, which is open already. @throws ApiError over the quota of concurrent uploads */
  async appending<T>(read: () => Promise<T>): Promise<T> {
    await this.#gate().beginAppend(this.#id);
    try {
      return await read();
    } finally {
      await this.appended();
    }
  }

  /** Releases the claim of such an upload, which has been read or given up. */
  async appended(): Promise<void> {
    await this.#gate().endAppend(this.#id).catch(this.#report);
  }

  /** Renews the claim of an upload that is still being read. */
  async keepUpload(): Promise<void> {
    await this.#gate().keepUpload(this.#id).catch(this.#report);
  }

  /** Releases the claim of the upload, which has been read or given up. */
  async uploaded(): Promise<void> {
    await this.#gate().endUpload(this.#id).catch(this.#report);
  }

  /** Claims a place among the open campaigns for one that had ended. @throws ApiError over the quota */
  async reopen(): Promise<void> {
    await this.#gate().reopenCampaign(this.#id);
  }

  /** Gives that place back. */
  async close(): Promise<void> {
    await this.#gate().campaignEnded(this.#id).catch(this.#report);
  }

  /** Tells the gate that the campaign has ended, since D1, which lists it, may be unavailable. */
  async sayIfEnded(row: CampaignRow | null): Promise<void> {
    const over = row !== null && isOver(row.status);
    try {
      if (over && !this.#endIsKnown) await this.#gate().campaignEnded(this.#id);
      this.#endIsKnown = over;
    } catch (error) {
      this.#report(error);
    }
  }
}
