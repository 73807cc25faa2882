import { MINUTE_MS } from "../../kernel/time.ts";

/** What a participant's socket may send within a minute, of whatever type. */
export const PARTICIPANT_FRAMES = 120;
export const PARTICIPANT_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/** What a socket has sent in the last minute; once it is too much, nothing more is taken of it. */
export class FrameRate {
  #sent: { at: number; bytes: number }[] = [];
  #isOver = false;

  /** Whether the frame is taken, is the one too many, or comes after that. */
  count(frame: string, now: number): "taken" | "too_many" | "ignored" {
    if (this.#isOver) return "ignored";
    this.#sent = this.#sent.filter(({ at }) => at > now - MINUTE_MS);
    this.#sent.push({ at: now, bytes: encoder.encode(frame).length });
    const bytes = this.#sent.reduce((sum, sent) => sum + sent.bytes, 0);
    if (this.#sent.length <= PARTICIPANT_FRAMES && bytes <= PARTICIPANT_BYTES) return "taken";
    this.#isOver = true;
    return "too_many";
  }
}
