import { MINUTE_MS } from "../../kernel/time.ts";

/** The most frames, and bytes, that a participant may send within a minute. */
export const PARTICIPANT_FRAMES = 120;
export const PARTICIPANT_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/** What a participant has sent in the last minute over all sockets, so that a new socket does not reset the limit. */
export class FrameRate {
  #sent: { at: number; bytes: number }[] = [];

  /** Counts a frame and returns true, unless it exceeds the limit. */
  count(frame: string, now: number): boolean {
    this.#sent = this.#sent.filter(({ at }) => at > now - MINUTE_MS);
    const bytes = encoder.encode(frame).length;
    const sum = this.#sent.reduce((all, sent) => all + sent.bytes, bytes);
    if (this.#sent.length >= PARTICIPANT_FRAMES || sum > PARTICIPANT_BYTES) return false;
    this.#sent.push({ at: now, bytes });
    return true;
  }
}
