import { knownError } from "../../kernel/http/errors.ts";
import { MAX_AMOUNT, MAX_TURN_CHARS } from "../../records/conversations/events.ts";
import { ClientSockets, shut } from "./client-sockets.ts";
import type { Model } from "./models/model.ts";
import { PROTOCOLS, type ProtocolName, protocolOf } from "./protocols/index.ts";
import { BadFrame, CLOSE, type Incoming, MAX_FRAME_CHARS, parseFrame } from "./protocols/protocol.ts";
import type { ConversationStore } from "./store/conversation-store.ts";
import { type Hands, offeredTools } from "./turns/built-in-tools.ts";
import { historyOf } from "./turns/history.ts";
import { instructionsOf } from "./turns/instructions.ts";
import { Keypad } from "./turns/keypad.ts";
import { type ToolUseContext, useTool } from "./turns/tool-use.ts";
import { Answer, type TurnDependencies } from "./turns/turn-loop.ts";
import { speakingTime } from "./turns/waiting.ts";

/** Frames that may wait while the session is being opened. */
const MAX_WAITING_FRAMES = 200;
/** Turns that a client may take within a minute: each asks the model, and nobody speaks or types nearly that fast. */
const MAX_TURNS_A_MINUTE = 600;
const MINUTE_MS = 60_000;

/** A carrier is told of the end no later than this, ms. */
const LONGEST_GOODBYE_MS = 15_000;

const ONE_MOMENT = "One moment, please.";
const STILL_THERE = "Are you still there?";
const LINE_DROPPED = "Sorry, the line dropped for a moment. I am back.";

/** What the edge runtime asks of the conversation that it holds. */
export interface EdgeDependencies {
  sockets: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">;
  store: ConversationStore;
  /** Whose session a token opens. @throws ApiError for who may not talk */
  open(token: string): Promise<void>;
  /** Whether who talks may say one more thing. @throws ApiError for who may not */
  mayGoOn(): Promise<void>;
  /** Sees to it that the conversation is found by its id from now on. */
  makeFindable(): Promise<void>;
  model(): Promise<Model>;
  hands: Hands;
  platform: ToolUseContext["platform"];
  /** Something changed that somebody may wait for: the alarm is to be set anew. */
  arm(): Promise<void>;
  /** The conversation is over. */
  end(reason: string): Promise<void>;
  report(error: unknown): void;
  now(): number;
}

/**
 * Holds the conversation over a WebSocket: frames in, words out, whatever the client's protocol. Everything that must
 * outlive the process is in the store; what is here is the answer that is being spoken.
 */
export class EdgeRuntime {
  readonly #deps: EdgeDependencies;
  readonly #sockets: ClientSockets;
  #answer: Answer | null = null;
  /** Frames are taken one after the other: opening a session takes a while, and they must not overtake it. */
  #turn: Promise<void> = Promise.resolve();
  #waiting = 0;
  readonly #keypad = new Keypad((entry) => {
    if (this.#deps.store.row?.ended_at === null && this.connected)
      this.#heard(entry)?.answered.catch(this.#deps.report);
  });
  /** When (ms) the other side took its turns of the last minute. */
  #turns: number[] = [];
  /** When (ms) the last words have been spoken, as far as that can be told. */
  #spokenAt = 0;

  constructor(deps: EdgeDependencies) {
    this.#deps = deps;
    this.#sockets = new ClientSockets(deps.sockets);
  }

  /** Whether the agent is about to say something, or is saying it. */
  get busy(): boolean {
    return this.#answer !== null;
  }

  /** Whether somebody is connected. */
  get connected(): boolean {
    return this.#sockets.current !== null;
  }

  /** Takes a client in; `signed` where its carrier has signed the handshake. */
  accept(signed: boolean): Response {
    return this.#sockets.accept(signed);
  }

  /** A frame of a client. Resolves when all is said that follows from it. */
  async message(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    this.#sockets.heard(socket);
    if (typeof frame !== "string") return this.#letGo(socket, CLOSE.binary, "frames are JSON text");
    if (frame.length > MAX_FRAME_CHARS) return this.#letGo(socket, CLOSE.too_large, "the frame is too large");
    if (this.#waiting >= MAX_WAITING_FRAMES) return this.#letGo(socket, CLOSE.too_many, "too many frames at once");
    this.#waiting++;
    let answered: Promise<void> | undefined;
    const mine = this.#turn.then(async () => {
      answered = (await this.#take(socket, frame))?.answered;
    });
    this.#turn = mine.catch(() => {});
    try {
      await mine;
    } catch (error) {
      await this.#refuse(socket, error);
    } finally {
      this.#waiting--;
    }
    await answered;
  }

  /** Lets a client go whose frame means nothing, or who may not talk. */
  async #refuse(socket: WebSocket, error: unknown): Promise<void> {
    if (error instanceof BadFrame) return this.#letGo(socket, CLOSE.malformed, error.message);
    const known = knownError(error);
    if (known?.code === "session_ended") return this.#letGo(socket, CLOSE.session_ended, known.code);
    if (known?.code === "held_elsewhere") return this.#letGo(socket, CLOSE.replaced, known.code);
    if (known && known.status < 500) return this.#letGo(socket, CLOSE.refused, known.code);
    this.#deps.report(error);
    return this.#letGo(socket, CLOSE.failure, "something went wrong here");
  }

  /** Closes a client's socket for what it did. It is gone with that, whether or not the client ever says so. */
  async #letGo(socket: WebSocket, code: number, reason: string): Promise<void> {
    shut(socket, code, reason);
    if (this.#deps.store.row === null) return;
    this.closed(socket, code);
    await this.#deps.arm();
  }

  async #take(socket: WebSocket, text: string): Promise<{ answered: Promise<void> } | void> {
    if (socket.readyState !== WebSocket.OPEN) return;
    const frame = parseFrame(text);
    const protocol = this.#sockets.protocolOf(socket);
    if (protocol === null) {
      const name = protocolOf(frame);
      if (name === null) return this.#letGo(socket, CLOSE.out_of_order, "the first frame must be setup or session");
      const incoming = PROTOCOLS[name].read(frame);
      return incoming?.type === "open" ? this.#open(socket, name, incoming) : undefined;
    }
    const incoming = PROTOCOLS[protocol].read(frame);
    if (!incoming) return;
    if (incoming.type === "open") return this.#again(socket, protocol, incoming.token);
    // Stopping the agent's words needs no leave, and cannot wait for it.
    if (incoming.type !== "interrupt") await this.#deps.mayGoOn();
    if (this.#deps.store.row?.ended_at !== null || this.#deps.store.row.machine === 1) return;
    this.#deps.store.update({ heard_at: this.#deps.now() });
    if (incoming.type === "words" && this.#talksTooMuch())
      return this.#letGo(socket, CLOSE.too_many, "too many messages in a minute");
    if (this.#deps.store.isFull) return this.#deps.end("max_length");
    return this.#hear(incoming);
  }

  #talksTooMuch(): boolean {
    const now = this.#deps.now();
    this.#turns = this.#turns.filter((at) => at > now - MINUTE_MS);
    return this.#turns.push(now) > MAX_TURNS_A_MINUTE;
  }

  /** A client has shown whose session it is for. */
  async #open(socket: WebSocket, protocol: ProtocolName, incoming: Extract<Incoming, { type: "open" }>) {
    const { token, greeted, announced } = incoming;
    const { store, now } = this.#deps;
    await this.#deps.open(token);
    if (socket.readyState !== WebSocket.OPEN) return;
    const signed = this.#sockets.isSigned(socket);
    // A token that somebody has read is not enough to take a call over from its carrier.
    if (store.known.vouched === 1 && !signed) return this.#letGo(socket, CLOSE.refused, "the carrier holds this call");
    // It is named to the client, who may ask for it, or have it erased, at once.
    if (protocol === "widget") await this.#deps.makeFindable().catch(this.#deps.report);
    if (socket.readyState !== WebSocket.OPEN || store.row === null) return;
    this.#sockets.choose(socket, protocol);
    // Whoever was there before did not hear the rest.
    this.#answer?.interrupt();
    this.#answer = null;
    this.#sockets.send({ type: "ready", conversation_id: store.known.id });
    store.update({ held_by: "edge", lost_at: null, heard_at: now(), ...(signed && { vouched: 1 }) });
    const answered = this.#begin(greeted, announced);
    await this.#deps.arm();
    return answered && { answered };
  }

  /** The first words, or after a break whatever was left unsaid. */
  #begin(greeted: boolean, announced: string | undefined): Promise<void> | void {
    const { store, now } = this.#deps;
    if (store.known.machine === 1) return;
    const last = store.events.findLast(({ type }) => type !== "usage" && type !== "latency");
    if (!last) {
      if (announced) store.append({ type: "agent_turn", text: announced }, now());
      const { greeting_message, greeting_mode } = store.session.snapshot.agent;
      const greeting = greeting_message.trim();
      if (greeting === "") return this.#quietAfter("");
      if (greeted) store.append({ type: "agent_turn", text: greeting }, now());
      else this.#sayWhole(greeting, greeting_mode === "interruptible");
      this.#quietAfter(greeting);
      return;
    }
    if (last.type === "agent_turn") {
      if (last.interrupted) this.#sayWhole(LINE_DROPPED, true);
      this.#quietAfter("");
      return;
    }
    if (last.type === "disposition" || last.type === "opt_out") return this.#quietAfter("");
    return this.#speak(null);
  }

  /** A client that has a session presents a token again: a widget does after every renewal, a carrier never. */
  async #again(socket: WebSocket, protocol: ProtocolName, token: string): Promise<void> {
    if (protocol !== "widget") return this.#letGo(socket, CLOSE.out_of_order, "setup was already sent");
    await this.#deps.open(token);
    this.#sockets.send({ type: "ready", conversation_id: this.#deps.store.known.id });
  }

  async #hear(incoming: Exclude<Incoming, { type: "open" }>): Promise<{ answered: Promise<void> } | void> {
    switch (incoming.type) {
      case "words":
        return this.#heard(incoming.text, incoming.lang);
      case "digits":
        this.#keypad.press(incoming.digits);
        return;
      case "interrupt":
        return this.#interrupt(incoming.heard);
      case "trouble":
        this.#deps.report(new Error(`the carrier reports: ${incoming.description.slice(0, 500)}`));
    }
  }

  #heard(said: string, lang?: string): { answered: Promise<void> } | undefined {
    const words = said.trim();
    if (words === "") return;
    const { store, now } = this.#deps;
    const text = cut(words, MAX_TURN_CHARS);
    this.#answer?.interrupt();
    const heardAt = now();
    store.append(lang === undefined ? { type: "user_turn", text } : { type: "user_turn", text, lang }, heardAt);
    store.update({ quiet_since: null, asked_whether_there: 0 });
    return { answered: this.#speak(heardAt) };
  }

  /** Digits that were entered by somebody who has left since: they were said, but nobody hears an answer. */
  #keepDigits(): void {
    const text = this.#keypad.take();
    if (text !== null) this.#deps.store.append({ type: "user_turn", text }, this.#deps.now());
  }

  async #interrupt(said: string | undefined): Promise<void> {
    const { store, now } = this.#deps;
    const heard = said === undefined ? undefined : cut(said, MAX_TURN_CHARS);
    // Of an answer that has not begun nothing can have been heard: it is still wanted.
    const isToCome = this.#answer !== null && !this.#answer.hasSpoken;
    const wasSpeaking = !isToCome && (this.#answer?.interrupt(heard) ?? false);
    // What was said whole may still be on its way to the ear.
    if (!wasSpeaking) store.cutLastTurn(heard);
    if (isToCome) return;
    store.update({ quiet_since: now() });
    await this.#deps.arm();
  }

  /** Has the agent answer what was said. */
  async #speak(heardAt: number | null): Promise<void> {
    const { store } = this.#deps;
    const answer = new Answer(this.#turnDependencies(), heardAt);
    this.#answer = answer;
    this.#sockets.send({ type: "typing" });
    store.update({ quiet_since: null });
    const ending = await answer.run().catch((error: unknown) => {
      this.#deps.report(error);
      return { next: "failed" as const };
    });
    if (this.#answer !== answer) return;
    this.#answer = null;
    if (store.row?.ended_at !== null) return;
    if (ending.next === "end") return this.#deps.end(ending.reason);
    if (ending.next === "silent") this.#sockets.send({ type: "listening" });
    if (ending.next === "failed" && store.session.snapshot.kind === "call") return this.#deps.end("model_failed");
    // What was said last has begun the quiet, unless a tool came after it.
    if (store.known.quiet_since === null) this.#quietAfter("");
    await this.#deps.arm();
  }

  #turnDependencies(): TurnDependencies {
    const { store, hands, platform, model, report, now } = this.#deps;
    const { snapshot } = store.session;
    const notice: ToolUseContext["notice"] = (name, state) => this.#sockets.send({ type: "tool", name, state });
    return {
      model,
      report,
      now,
      pause: (ms) => scheduler.wait(ms),
      system: instructionsOf(snapshot),
      tools: offeredTools(snapshot),
      filler: snapshot.kind === "call" ? ONE_MOMENT : null,
      history: () => historyOf(store.events),
      say: (words) => this.#sockets.send({ type: "words", ...words, interruptible: true }),
      speaking: (text, at) => store.setOpenTurn({ text, at }),
      spoken: ({ interrupted, ...turn }, at) => {
        const { text } = turn;
        store.closeTurn({ type: "agent_turn", ...turn, ...(interrupted && { interrupted }) }, at);
        // In the same write: each costs a conversation its turn at the disk.
        if (store.row?.ended_at === null) this.#quietAfter(interrupted ? "" : text);
        store.flush();
      },
      latency: (ms) => store.append({ type: "latency", ms: Math.max(0, ms) }, now()),
      usage: (input_tokens, output_tokens) =>
        store.append(
          { type: "usage", input_tokens: amount(input_tokens), output_tokens: amount(output_tokens) },
          now(),
        ),
      use: (call) => useTool({ store, hands, platform, now, notice }, call),
    };
  }

  /** Nobody has said anything for long. */
  askWhetherThere(): void {
    this.#deps.store.update({ asked_whether_there: 1 });
    this.#sayWhole(STILL_THERE, true);
    this.#quietAfter(STILL_THERE);
  }

  /** Says what needs no model: the words leave at once, and are on record before the turn is said to be over. */
  #sayWhole(whole: string, interruptible: boolean): void {
    const { store, now } = this.#deps;
    this.#sockets.send({ type: "words", text: whole, last: false, whole, interruptible });
    store.append({ type: "agent_turn", text: whole }, now());
    store.flush();
    this.#sockets.send({ type: "words", text: "", last: true, whole, interruptible });
  }

  #quietAfter(said: string): void {
    const { store, now } = this.#deps;
    this.#spokenAt = now() + speakingTime(said, store.session.snapshot.kind);
    store.update({ quiet_since: this.#spokenAt });
  }

  /** A socket is gone; gives why the conversation is over with it, null where it may come back. */
  closed(socket: WebSocket, code: number): "caller_hung_up" | null {
    this.#sockets.heard(socket);
    const other = this.#sockets.current;
    const protocol = this.#sockets.protocolOf(socket);
    if (protocol === null || (other !== null && other !== socket)) return null;
    this.#answer?.interrupt();
    this.#keepDigits();
    const { store, now } = this.#deps;
    if (store.row?.ended_at !== null) return null;
    store.update({ lost_at: store.row.lost_at ?? now(), quiet_since: null });
    const saidSo = code === CLOSE.done || code === CLOSE.unsaid;
    return saidSo && protocol === "conversation_relay" ? "caller_hung_up" : null;
  }

  /** Stops whatever is being said. */
  silence(): void {
    this.#answer?.interrupt();
    this.#answer = null;
    this.#keepDigits();
  }

  /**
   * Lets go of everybody as soon as the last words have been spoken: a carrier that is told of the end stops speaking.
   * What the other side says meanwhile is for nobody.
   */
  closeWhenSpoken(reason: string): void {
    const wait = this.#isSpoken ? Math.min(LONGEST_GOODBYE_MS, this.#spokenAt - this.#deps.now()) : 0;
    this.silence();
    if (wait > 0) setTimeout(() => this.close(reason), wait);
    else this.close(reason);
  }

  /** Whether words take time to be spoken: the sandbox's people read them. */
  get #isSpoken(): boolean {
    const provider = this.#deps.store.session.snapshot.call?.provider ?? "sandbox";
    return this.connected && provider !== "sandbox";
  }

  /** Says that it is over, and lets go of everybody. */
  close(reason: string): void {
    this.silence();
    this.#sockets.send({ type: "ended", reason });
    this.#sockets.closeAll(reason);
  }
}

/** At most so many characters, with a mark where there were more; none is cut in half. */
function cut(text: string, maxChars: number): string {
  return (text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text).toWellFormed();
}

/** An amount as a model's server tells it, 0 for what is none. */
function amount(told: number): number {
  return Number.isSafeInteger(told) && told >= 0 ? Math.min(told, MAX_AMOUNT) : 0;
}
