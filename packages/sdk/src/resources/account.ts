import { Account as Operations } from "../operations.ts";
import type { CallOptions, Schema } from "../types.ts";

/** Settings, limits, use and prices of the account. */
export class Account extends Operations {
  /** Returns a sentence spoken by a voice, as mp3. Failed previews are not repeated, because each one counts. */
  async previewVoice(voice: Schema<"PreviewVoiceRequest">, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    const sent = Object.assign({ accept: "audio/mpeg", maxRetries: 0 }, options, { body: voice });
    const response = await this.transport.fetch("POST", "/api/v1/voices/preview", sent);
    return new Uint8Array(await response.arrayBuffer());
  }
}
