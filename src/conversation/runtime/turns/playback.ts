import { speechTime, unitsSaidIn } from "../../../kernel/speech-time.ts";
import { endOfWord, endsOf, isBlank } from "./spoken-part.ts";

/** Words that were sent in one piece, and when (ms) a voice begins to say them. */
interface Piece {
  text: string;
  from: number;
}

/** A turn that is being spoken or waits for the turns before it. */
export interface QueuedTurn {
  /** The turn's `seq` in the log; null until it is recorded. */
  seq: number | null;
  text: string;
  pieces: Piece[];
  /** Estimated end, ms. */
  until: number;
}

/** The part of a queued turn that was heard. */
export interface HeardTurn {
  seq: number | null;
  text: string;
  /** Null if unknown. */
  heard: string | null;
}

/** How a client presents words: a voice takes time; a reader gets them at once. */
export type Pace = "spoken" | "read";

/**
 * The sent words that may not have been heard yet: the turns since the other side spoke, in order. A carrier speaks one
 * turn after another, so each ends at max(now, end of the previous turn) + the time to say it.
 */
export class Playback {
  readonly #pace: () => Pace;
  #turns: QueuedTurn[] = [];
  #isOpen = false;

  constructor(pace: () => Pace) {
    this.#pace = pace;
  }

  /** When (ms) everything sent will have been spoken; 0 if nothing was sent. */
  get until(): number {
    return this.#turns.at(-1)?.until ?? 0;
  }

  /** Adds words that are sent now (ms) to the current turn or to a new one. */
  push(text: string, now: number): void {
    const from = Math.max(now, this.until);
    const until = from + (this.#pace() === "spoken" ? speechTime(text) : 0);
    const turn = this.#isOpen ? this.#turns.at(-1) : undefined;
    if (turn) {
      turn.text += text;
      turn.pieces.push({ text, from });
      turn.until = until;
    } else this.#turns.push({ seq: null, text, pieces: [{ text, from }], until });
    this.#isOpen = true;
  }

  /** Closes the current turn, which was recorded under `seq`; null if it could not be recorded. */
  close(seq: number | null): void {
    const turn = this.#isOpen ? this.#turns.at(-1) : undefined;
    if (turn) turn.seq = seq;
    this.#isOpen = false;
  }

  /** Restores recorded turns after a restart; `at` is when (ms) their first words were sent. */
  resume(turns: readonly { seq: number; text: string; at: number }[]): void {
    for (const { seq, text, at } of turns) {
      this.push(text, at);
      this.close(seq);
    }
  }

  /** Drops what was spoken before `now` (ms), because the other side has answered it. */
  settle(now: number): void {
    this.#turns = this.#turns.filter(({ until }) => until > now);
    this.#isOpen &&= this.#turns.length > 0;
  }

  /** Drops all turns, whether or not they were heard. */
  clear(): void {
    this.#turns = [];
    this.#isOpen = false;
  }

  /**
   * Stops speaking at `now` (ms) and returns the turns that were not heard completely. What was heard is determined by
   * the client's own report if there is one, otherwise by time. The first of the returned turns was cut; nothing was
   * heard of those after it. Turns for whose text `keeps` is true cannot be interrupted and continue.
   */
  cut(now: number, claimed: string | undefined, keeps: (text: string) => boolean = () => false): HeardTurn[] {
    const turns = this.#turns;
    const estimated = this.#heardBy(now);
    const claim = claimed === undefined ? null : claimedPosition(turns, claimed, estimated);
    const isUnknown = claimed === undefined && this.#pace() === "read";
    const at = claim ?? estimated;
    this.clear();
    this.#turns = turns.filter(({ text, until }) => until > now && keeps(text));
    // A client that reports an interruption cut something, even if all of it was heard.
    const last = turns.length - 1;
    const from = claimed === undefined ? at.turn : Math.min(at.turn, last);
    return turns.flatMap(({ seq, text }, index): HeardTurn[] => {
      if (keeps(text)) return [];
      if (isUnknown) return index === last ? [{ seq, text, heard: null }] : [];
      if (index < from) return [];
      const units = index < at.turn ? text.length : index === at.turn ? at.units : 0;
      // The turn was heard completely, and a later one was cut.
      if (units === text.length && index < last) return [];
      return [{ seq, text, heard: text.slice(0, units) }];
    });
  }

  /**
   * Returns how far the voice has come at `now` (ms): the turn, and the units of it that were spoken, up to the end of
   * a word.
   */
  #heardBy(now: number): Position {
    for (const [turn, { pieces, text, until }] of this.#turns.entries()) {
      if (now >= until) continue;
      let units = 0;
      for (const piece of pieces) units += unitsSaidIn(piece.text, now - piece.from);
      return { turn, units: endOfWord(text, units) };
    }
    return { turn: this.#turns.length, units: 0 };
  }
}

/** A position in the queue: a turn's index, and UTF-16 units of its text. */
interface Position {
  turn: number;
  units: number;
}

/**
 * Returns where the words end that a client claims to have heard: the position closest to the estimate, preferring
 * turns that begin with the words; null if none fits.
 */
function claimedPosition(turns: readonly QueuedTurn[], claimed: string, estimated: Position): Position | null {
  // Nothing was heard of the turn that was about to begin.
  if (isBlank(claimed)) return { turn: Math.min(estimated.turn, turns.length - 1), units: 0 };
  const starts: number[] = [];
  let length = 0;
  for (const { text } of turns) {
    starts.push(length);
    length += text.length;
  }
  const distance = ({ turn, units }: Position) =>
    Math.abs((starts[turn] ?? length) + units - ((starts[estimated.turn] ?? length) + estimated.units));
  const found = turns.flatMap(({ text }, turn) => endsOf(claimed, text).map((end) => ({ turn, ...end })));
  const atStart = found.filter(({ isAtStart }) => isAtStart);
  const [best] = (atStart.length > 0 ? atStart : found).sort((a, b) => distance(a) - distance(b));
  return best ? { turn: best.turn, units: best.units } : null;
}
