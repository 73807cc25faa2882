import type { Speaker } from "../../../records/analysis/analysis.ts";
import { fold } from "../../../records/analysis/fold.ts";
import type { Turn } from "../../../records/conversations/record.ts";
import { dateMentions } from "./readings/dates.ts";
import { numberMentions } from "./readings/numbers.ts";
import { emailsIn, phonesIn, piecesOf, type SaidPhone, type SpelledRow, spelledRow } from "./readings/spelled.ts";
import type { Mention } from "./readings/tokens.ts";

/** What one speaker says in a turn. A tool's arguments count as the agent's words; its result counts as the tool's. */
export interface Words {
  seq: number;
  by: Speaker;
  text: string;
}

const SPEAKER_OF: Record<Exclude<Turn["role"], "tool">, Speaker> = { user: "caller", agent: "agent" };

/** Speakers by how much they are trusted, least first. What only a caller says is unverified. */
const TRUST: Record<Speaker, number> = { caller: 0, agent: 1, tool: 2 };

/** What was said in a conversation, against which claims are checked. */
export class Evidence {
  readonly #words: Words[];
  readonly #seqs: ReadonlySet<number>;
  /** The day of the conversation, ISO 8601. */
  readonly #day: string;
  readonly #folded = new Map<Words, string>();
  readonly #numbers = new Map<Words, Mention<number>[]>();
  readonly #dates = new Map<Words, Mention<string>[]>();
  readonly #pieces = new Map<Words, ReturnType<typeof piecesOf>>();
  readonly #rows = new Map<Words, SpelledRow>();
  readonly #emails = new Map<Words, Mention<string>[]>();
  readonly #phones = new Map<Words, SaidPhone[]>();

  constructor(turns: readonly Turn[], day: string) {
    this.#words = turns.flatMap(wordsOf);
    this.#seqs = new Set(turns.map(({ seq }) => seq));
    this.#day = day;
  }

  /** Whether any person said anything. */
  get hasPerson(): boolean {
    return this.#words.some(({ by, text }) => by === "caller" && fold(text) !== "");
  }

  /** Returns the cited turns that exist, in order and without duplicates. */
  existing(cited: readonly number[]): number[] {
    return [...new Set(cited)].filter((seq) => this.#seqs.has(seq)).toSorted((a, b) => a - b);
  }

  /**
   * Returns the cited turns for which `stands` is true; if there are none, the first turn of the conversation for which
   * it is.
   */
  turnsWith(cited: readonly number[], stands: (words: Words) => boolean): number[] {
    const all = new Set(this.#words.filter(stands).map(({ seq }) => seq));
    const named = this.existing(cited).filter((seq) => all.has(seq));
    return named.length > 0 ? named : [...all].slice(0, 1);
  }

  /**
   * Returns the speaker to whom a statement in these turns is attributed: the least trusted of all who had made it up
   * to then. An agent that repeats a caller's words therefore does not make them more reliable.
   */
  sourceOf(turns: readonly number[], stands: (words: Words) => boolean): Speaker | null {
    const last = this.#words.findLastIndex((words) => turns.includes(words.seq) && stands(words));
    return leastTrusted(this.#words.slice(0, last + 1).filter(stands));
  }

  /** Returns what was said in these turns. */
  wordsOf(turns: readonly number[]): Words[] {
    return this.#words.filter(({ seq }) => turns.includes(seq));
  }

  /** Returns the least trusted speaker of these turns. */
  speakerOf(turns: readonly number[]): Speaker | null {
    return leastTrusted(this.wordsOf(turns));
  }

  /** Checks whether any speaker except the caller speaks in these turns. */
  hasOther(turns: readonly number[]): boolean {
    return this.#words.some(({ seq, by }) => by !== "caller" && turns.includes(seq));
  }

  folded(words: Words): string {
    return kept(this.#folded, words, () => fold(words.text));
  }

  numbers(words: Words): Mention<number>[] {
    return kept(this.#numbers, words, () => numberMentions(words.text));
  }

  dates(words: Words): Mention<string>[] {
    return kept(this.#dates, words, () => dateMentions(words.text, this.#day));
  }

  pieces(words: Words): ReturnType<typeof piecesOf> {
    return kept(this.#pieces, words, () => piecesOf(words.text));
  }

  spelled(words: Words): SpelledRow {
    return kept(this.#rows, words, () => spelledRow(this.pieces(words)));
  }

  emails(words: Words): Mention<string>[] {
    return kept(this.#emails, words, () => emailsIn(this.pieces(words)));
  }

  phones(words: Words): SaidPhone[] {
    return kept(this.#phones, words, () => phonesIn(this.pieces(words)));
  }
}

function wordsOf({ seq, role, text, tool_call }: Turn): Words[] {
  if (role !== "tool") return [{ seq, by: SPEAKER_OF[role], text }];
  if (tool_call === null) return [];
  const { arguments: given, result } = tool_call;
  const request: Words = { seq, by: "agent", text: plain(given) };
  return result === null ? [request] : [request, { seq, by: "tool", text: plain(result) }];
}

/** Returns the texts and numbers in a JSON value, one per line. */
export function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(plain).join("\n");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${plain(each)}`)
    .join("\n");
}

function leastTrusted(words: readonly Words[]): Speaker | null {
  return words.map(({ by }) => by).toSorted((a, b) => TRUST[a] - TRUST[b])[0] ?? null;
}

function kept<K, V>(values: Map<K, V>, key: K, make: () => V): V {
  const before = values.get(key);
  if (before !== undefined) return before;
  const value = make();
  values.set(key, value);
  return value;
}
