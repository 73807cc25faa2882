import { accountGate } from "../kernel/durable/objects.ts";
import type { StreamGate } from "../kernel/streams/open-streams.ts";
import { streamGate } from "../kernel/streams/stream-gate.ts";
import { isOver } from "./decide/state.ts";
import type { CampaignRow } from "./store/campaign-row.ts";

/** What a campaign counts as at its account's gate: an upload while it is read, its open streams, and itself. */
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

  /** Reads an upload of the new campaign. @throws ApiError where it is one too many of either */
  async uploading<T>(read: () => Promise<T>): Promise<T> {
    await this.#gate().beginUpload(this.#id);
    try {
      return await read();
    } finally {
      await this.uploaded();
    }
  }

  /** Reads an upload for the campaign, which is open already. @throws ApiError where it is one too many at once */
  async appending<T>(read: () => Promise<T>): Promise<T> {
    await this.#gate().beginAppend(this.#id);
    try {
      return await read();
    } finally {
      await this.appended();
    }
  }

  /** Such an upload is read, or was given up. */
  async appended(): Promise<void> {
    await this.#gate().endAppend(this.#id).catch(this.#report);
  }

  /** The upload is still being read. */
  async keepUpload(): Promise<void> {
    await this.#gate().keepUpload(this.#id).catch(this.#report);
  }

  /** The upload is read, or was given up. */
  async uploaded(): Promise<void> {
    await this.#gate().endUpload(this.#id).catch(this.#report);
  }

  /** The campaign, which had ended, is to be open again. @throws ApiError where it is one too many */
  async reopen(): Promise<void> {
    await this.#gate().reopenCampaign(this.#id);
  }

  /** It is not open again, after all. */
  async close(): Promise<void> {
    await this.#gate().campaignEnded(this.#id).catch(this.#report);
  }

  /** Says so where the campaign has ended: D1, which lists it, may be away. */
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
