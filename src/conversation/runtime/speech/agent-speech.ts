import type { CumulativeUse } from "../../../account/meter/budget-consumers.ts";
import type { SpeechAdmission, SpeechReservation, UnspokenPart } from "../../../account/meter/speech-budgets.ts";
import { ApiError, tooMany } from "../../../kernel/http/errors.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import type { Outgoing } from "../protocols/protocol.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { languageNow } from "../turns/spoken-language.ts";
import { partEnds, speakable } from "./cut.ts";
import type { OwnVoice } from "./own-voice.ts";

type Words = Extract<Outgoing, { type: "words" }>;

/** A part of the agent's words that can still be played. */
interface Part {
  text: string;
  language: string;
  /** ms */
  namedAt: number;
  given: number;
}

/** A part to be spoken, with the voice and its vendor's sealed secrets. */
export interface GivenSpeech extends OwnVoice {
  text: string;
  language: string;
  /** The number of the part in the conversation, passed to `ended`. */
  n: number;
}

export interface SpeechDependencies {
  store: ConversationStore;
  /** Returns the agent's own voice; null if the browser's voice speaks. */
  voice(): OwnVoice | null;
  /** Signs a ticket for the part with this id. */
  sign(id: string): Promise<string>;
  newId(): string;
  /** Reserves a part in the account's meter. */
  reserve(part: SpeechReservation): Promise<SpeechAdmission>;
  /** Gives a reserved part that was not spoken back to the meter. */
  giveBack(part: UnspokenPart): Promise<void>;
  report(error: unknown): void;
  /** Schedules the report of usage. */
  arm(): Promise<void>;
  /** ms */
  now(): number;
}

/** How long a part can be played after its words were sent, ms. */
const TICKET_MS = MINUTE_MS;
/** How often a part may be fetched. A player that lost its connection asks once more. */
const MAX_GIVEN = 2;
/** How many parts of a conversation are spoken at once. */
const MAX_AT_ONCE = 2;
/** A part whose end was not reported counts as over after this time, ms. */
const LONGEST_STREAM_MS = MINUTE_MS;
/** Maximum characters that the agent's own voice speaks in one conversation. */
const MAX_SPEECH_CHARS = 20_000;
/** Tickets are signed ahead, so that words do not wait for them. */
const SIGNED_AHEAD = 32;

/** Creates the error for a ticket that is invalid or used up. */
export const refusedTicket = () =>
  new ApiError(403, "ticket_refused", "the ticket is invalid, expired or used up: let the browser speak");

const REFUSED = {
  speech_limit: "the limit of the agent's own voice is reached: let the browser speak",
  budget_reached: "a budget of the account is used up: let the browser speak",
};

/**
 * The agent's own voice in a browser. It numbers the parts of the agent's words in their frames and returns a part for
 * its ticket. The words are only kept in memory.
 */
export class AgentSpeech {
  readonly #deps: SpeechDependencies;
  readonly #parts = new Map<string, Part>();
  #signed: { id: string; ticket: string }[] = [];
  #signing: Promise<void> | null = null;
  /** How many characters of the current turn are in numbered parts. */
  #named = 0;
  /** The parts being spoken by number, with their characters and when (ms) they stop counting. */
  readonly #speaking = new Map<number, { chars: number; reserved_at: number; until: number }>();

  constructor(deps: SpeechDependencies) {
    this.#deps = deps;
  }

  /** Whether the agent speaks with its own voice. */
  get isOffered(): boolean {
    return this.#deps.store.row !== null && this.#deps.voice() !== null;
  }

  /** Signs tickets ahead if few are left. Without signing keys, the browser speaks. */
  prepare(): Promise<void> {
    if (!this.isOffered || this.#signed.length > SIGNED_AHEAD / 2) return Promise.resolve();
    this.#signing ??= this.#sign()
      .catch(this.#deps.report)
      .finally(() => {
        this.#signing = null;
      });
    return this.#signing;
  }

  async #sign(): Promise<void> {
    const ids = Array.from({ length: SIGNED_AHEAD }, () => this.#deps.newId());
    const signed = ids.map(async (id) => ({ id, ticket: await this.#deps.sign(id) }));
    this.#signed.push(...(await Promise.all(signed)));
  }

  /** Returns the frames for these words, with a ticket for each complete part. */
  named(outgoing: Outgoing): Outgoing[] {
    if (outgoing.type !== "words" || !this.isOffered) return [outgoing];
    return outgoing.last ? [this.#namedLast(outgoing)] : this.#namedPieces(outgoing);
  }

  #namedLast({ text, last, whole, interruptible }: Words): Outgoing {
    const speech = this.#name(whole.slice(this.#named));
    this.#named = 0;
    return { type: "words", text, last, whole, interruptible, speech };
  }

  #namedPieces({ text, last, whole, interruptible }: Words): Outgoing[] {
    const begins = whole.length - text.length;
    if (begins === 0) this.#named = 0;
    const base = this.#named;
    const ends = partEnds(whole.slice(base)).map((end) => base + end);
    const frames: Outgoing[] = [];
    let sent = begins;
    for (const [at, end] of ends.entries()) {
      // A frame holds only one ticket: if several parts end before these words, the ticket covers all of them.
      if ((ends[at + 1] ?? Number.POSITIVE_INFINITY) <= begins) continue;
      const piece = whole.slice(sent, Math.max(sent, end));
      const speech = this.#name(whole.slice(this.#named, end));
      frames.push({ type: "words", text: piece, last, whole: whole.slice(0, end), interruptible, speech });
      sent = Math.max(sent, end);
      this.#named = end;
    }
    const rest = whole.slice(sent);
    if (rest !== "" || frames.length === 0) frames.push({ type: "words", text: rest, last, whole, interruptible });
    return frames;
  }

  /** Returns a part's ticket; null if nothing can be spoken or no ticket is signed. */
  #name(words: string): string | null {
    const { store, now, report } = this.#deps;
    const text = speakable(words);
    const signed = text === null ? undefined : this.#signed.shift();
    this.prepare().catch(report);
    if (text === null || signed === undefined) return null;
    for (const [id, part] of this.#parts) if (part.namedAt + TICKET_MS <= now()) this.#parts.delete(id);
    const language = languageNow(store.events, store.session.snapshot.agent);
    this.#parts.set(signed.id, { text, language, namedAt: now(), given: 0 });
    return signed.ticket;
  }

  /** What the conversation has used, without parts in progress. */
  get use(): CumulativeUse {
    const { speech_chars, speech_parts } = this.#deps.store.existing;
    const open = [...this.#speaking];
    const chars = open.reduce((sum, [, part]) => sum + part.chars, 0);
    const first = Math.min(speech_parts + 1, ...open.map(([n]) => n));
    return { total: speech_chars - chars, requests: first - 1 };
  }

  /**
   * Returns the part with this id, after reserving its characters.
   * @throws ApiError 403 `ticket_refused`, `account_closed`; 429 `speech_busy`, `speech_limit`, `budget_reached`
   */
  async give(id: string): Promise<GivenSpeech> {
    const { store, voice, reserve, now, arm } = this.#deps;
    const part = this.#parts.get(id);
    const own = store.row === null ? null : voice();
    if (!part || own === null || part.namedAt + TICKET_MS <= now() || part.given >= MAX_GIVEN) throw refusedTicket();
    for (const [open, { until }] of this.#speaking) if (until <= now()) this.#speaking.delete(open);
    if (this.#speaking.size >= MAX_AT_ONCE) throw tooMany("speech_busy", "two parts are already being spoken", 1_000);
    const chars = [...part.text].length;
    const { speech_chars, speech_parts } = store.existing;
    if (speech_chars + chars > MAX_SPEECH_CHARS) throw tooMany("speech_limit", REFUSED.speech_limit, MINUTE_MS);
    const n = speech_parts + 1;
    const { use } = this;
    part.given++;
    const reserved_at = now();
    this.#speaking.set(n, { chars, reserved_at, until: reserved_at + LONGEST_STREAM_MS });
    this.#add(chars, n);
    const admission = await reserve({ visitor: this.#listener, n, chars, use }).catch((error: unknown) => {
      this.#over(n, false);
      throw error;
    });
    if (admission.outcome === "refused") {
      part.given--;
      this.#over(n, false);
      if (admission.code === "account_closed") throw new ApiError(403, admission.code, "the account is closed");
      throw tooMany(admission.code, REFUSED[admission.code], admission.retryAfterMs);
    }
    await arm();
    return Object.assign({ text: part.text, language: part.language, n }, own);
  }

  /**
   * Ends the part with this number. A part that the vendor did not speak is not charged and does not count towards any
   * limit.
   */
  async ended(n: number, isSpoken: boolean): Promise<void> {
    const part = this.#speaking.get(n);
    this.#over(n, isSpoken);
    if (!part || isSpoken || this.#deps.store.row === null) return;
    const { chars, reserved_at } = part;
    await this.#deps.giveBack({ visitor: this.#listener, chars, reserved_at }).catch(this.#deps.report);
  }

  #over(n: number, isSpoken: boolean): void {
    const part = this.#speaking.get(n);
    if (!part) return;
    this.#speaking.delete(n);
    if (!isSpoken && this.#deps.store.row !== null) this.#add(-part.chars);
  }

  /** Removes all parts, so that none can be played. */
  clear(): void {
    this.#parts.clear();
    this.#speaking.clear();
    this.#signed = [];
    this.#named = 0;
  }

  get #listener(): string {
    const { identity } = this.#deps.store;
    return identity.kind === "call" ? identity.call_id : identity.visitor.id;
  }

  #add(chars: number, speech_parts = this.#deps.store.existing.speech_parts): void {
    const { store } = this.#deps;
    const { speech_chars, ended_at } = store.existing;
    store.update({ speech_chars: Math.max(0, speech_chars + chars), speech_parts });
    // An existing archive lacks this usage.
    if (ended_at !== null) store.update({ archived: 0 });
  }
}
