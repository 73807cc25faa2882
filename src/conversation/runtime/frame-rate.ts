import { MINUTE_MS } from "../../kernel/time.ts";

/** What a participant may send within a minute, of any type. */
export const PARTICIPANT_FRAMES = 120;
export const PARTICIPANT_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/** What a participant has sent in the last minute over any number of sockets: a new socket does not reset it. */
export class FrameRate {
  #sent: { at: number; bytes: number }[] = [];

  /** Counts a frame unless it is one too many; gives whether it is taken. */
  count(frame: string, now: number): boolean {
    this.#sent = this.#sent.filter(({ at }) => at > now - MINUTE_MS);
    const bytes = encoder.encode(frame).length;
    const sum = this.#sent.reduce((all, sent) => all + sent.bytes, bytes);
    if (this.#sent.length >= PARTICIPANT_FRAMES || sum > PARTICIPANT_BYTES) return false;
    this.#sent.push({ at: now, bytes });
    return true;
  }
}
