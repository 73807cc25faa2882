import { clientErrorOf } from "../../kernel/http/errors.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import type { SpokenByCarrier } from "../../phone/calls/call-token.ts";
import { MAX_TURN_CHARS } from "../../records/conversations/events.ts";
import { type Client, ClientSockets, shut } from "./client-sockets.ts";
import { FrameQueue } from "./frame-queue.ts";
import { FrameRate } from "./frame-rate.ts";
import { noteMessage } from "./message-ids.ts";
import { asksToOptOut } from "./opt-out-words.ts";
import { PROTOCOLS, type ProtocolName } from "./protocols/index.ts";
import { BadFrame, CLOSE, type Incoming, MAX_FRAME_CHARS, parseFrame, Refusal } from "./protocols/protocol.ts";
import type { Party } from "./session/party.ts";
import { openedBy, protocolFor, wrongProtocol } from "./session/read-party.ts";
import type { AgentSpeech } from "./speech/agent-speech.ts";
import type { ConversationStore } from "./store/conversation-store.ts";
import { AgentVoice } from "./turns/agent-voice.ts";
import { Keypad } from "./turns/keypad.ts";
import { languageNow } from "./turns/spoken-language.ts";
import type { VoiceDependencies } from "./turns/turn-dependencies.ts";

/**
 * The most turns of a client per minute. Each costs a model request, and no person speaks or types nearly that fast.
 */
const MAX_TURNS_A_MINUTE = 600;

/** A participant has heard nothing from a carrier before the session. */
const NOTHING_SPOKEN: SpokenByCarrier = { disclosed: false, announced: false, greeted: false };

export interface EdgeDependencies extends Omit<VoiceDependencies, "send" | "store"> {
  store: ConversationStore;
  sockets: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">;
  /** Admits a client that opens its socket with this frame. @throws ApiError, Refusal, BadFrame */
  open(frame: Record<string, unknown>, client: Client): Promise<Party>;
  /** Checks whether the other side may continue. @throws ApiError if it may not */
  assertMayContinue(): void;
  limited(): boolean;
  /** Called when the other side has said something. */
  spoke(): void;
  /** Makes the conversation findable by its id. */
  makeFindable(): Promise<void>;
  /** The agent's own voice. */
  speech: Pick<AgentSpeech, "isOffered" | "prepare" | "named">;
}

/**
 * Holds the conversation over a WebSocket, whatever the client's protocol. Everything that must survive a restart is in
 * the store.
 */
export class EdgeRuntime {
  readonly #deps: EdgeDependencies;
  readonly #sockets: ClientSockets;
  readonly #voice: AgentVoice;
  readonly #frames = new FrameQueue();
  readonly #rate = new FrameRate();
  /** Sockets that sent too much. Their further frames are ignored. */
  readonly #flooding = new WeakSet<WebSocket>();
  readonly #keypad: Keypad;
  /** When (ms) the other side took its turns in the last minute. */
  #turns: number[] = [];

  constructor(deps: EdgeDependencies) {
    this.#deps = deps;
    this.#sockets = new ClientSockets(deps.sockets);
    const { store, model, actions, platform, budget, arm, end, turnEnded, report, now, after, speech } = deps;
    const send: VoiceDependencies["send"] = (outgoing) => {
      for (const frame of speech.named(outgoing)) this.#sockets.send(frame);
    };
    const parts = { store, send, model, actions, platform, budget, arm, end, turnEnded, report, now, after };
    this.#voice = new AgentVoice(parts);
    this.#keypad = new Keypad((entry) => this.#entered(entry), after);
  }

  /** Whether the agent is about to say something, or is saying it. */
  get busy(): boolean {
    return this.#voice.busy;
  }

  get connected(): boolean {
    return this.#sockets.current !== null;
  }

  /** Accepts a client; `signed` if its carrier has signed the handshake. */
  accept(signed: boolean, address: string | null): Response {
    return this.#sockets.accept(signed, address);
  }

  /** Handles a client's frame. Resolves when its answer is complete. */
  async message(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    this.#sockets.endSilence(socket);
    if (typeof frame !== "string") return this.#letGo(socket, CLOSE.binary, "frames must be JSON text");
    if (frame.length > MAX_FRAME_CHARS) return this.#letGo(socket, CLOSE.too_large, "the frame is too large");
    if (this.#frames.isFull) return this.#letGo(socket, CLOSE.too_many, "too many frames at once");
    if (this.#flooding.has(socket)) return;
    const isTaken = this.#isWithinRate(socket, frame);
    if (!isTaken) this.#flooding.add(socket);
    let answered: Promise<void> | undefined;
    const take = async () => {
      // In order: earlier frames may still be in progress.
      if (!isTaken) throw new Refusal(CLOSE.too_many, "rate_limited");
      answered = (await this.#take(socket, frame))?.answered;
    };
    await this.#frames.add(take, (error) => this.#refuse(socket, error));
    await answered;
  }

  /** Counts a participant's frame of any type; carriers are not limited. */
  #isWithinRate(socket: WebSocket, frame: string): boolean {
    const isCarrier =
      this.#sockets.protocolOf(socket) === "conversation_relay" || this.#sockets.clientOf(socket).signed;
    return isCarrier || !this.#deps.limited() || this.#rate.count(frame, this.#deps.now());
  }

  /** Disconnects a client whose frame is invalid, or who may not talk. */
  async #refuse(socket: WebSocket, error: unknown): Promise<void> {
    if (error instanceof BadFrame) return this.#letGo(socket, CLOSE.malformed, error.message);
    if (error instanceof Refusal) return this.#letGo(socket, error.code, error.message);
    const apiError = clientErrorOf(error);
    if (apiError?.code === "session_ended") return this.#letGo(socket, CLOSE.session_ended, apiError.code);
    if (apiError?.code === "held_elsewhere") return this.#letGo(socket, CLOSE.replaced, apiError.code);
    if (apiError?.status === 429) return this.#letGo(socket, CLOSE.too_many, apiError.code);
    if (apiError && apiError.status < 500) return this.#letGo(socket, CLOSE.refused, apiError.code);
    this.#deps.report(error);
    return this.#letGo(socket, CLOSE.failure, "an error in the service");
  }

  /** Closes a client's socket because of its frame. The socket counts as closed even if the client never confirms. */
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
    if (protocol === null) return this.#open(socket, frame);
    const opened = openedBy(frame);
    if (opened !== null && opened !== protocol) throw wrongProtocol();
    const incoming = PROTOCOLS[protocol].read(frame);
    if (!incoming) return;
    await this.#deps.speech.prepare();
    if (incoming.type === "open") return this.#again(socket, protocol, frame);
    // Stopping the agent needs no permission.
    if (incoming.type !== "interrupt" && incoming.type !== "partial_words") this.#deps.assertMayContinue();
    if (this.#deps.store.row?.ended_at !== null || this.#deps.store.row.machine === 1) return;
    if (this.#voice.isLeaving && incoming.type !== "interrupt") return;
    this.#deps.store.update({ last_activity_at: this.#deps.now() });
    if (incoming.type === "words" && this.#talksTooMuch())
      return this.#letGo(socket, CLOSE.too_many, "too many messages in a minute");
    if (this.#deps.store.isFull) return this.#deps.end("max_length");
    return this.#follow(incoming);
  }

  #talksTooMuch(): boolean {
    const now = this.#deps.now();
    this.#turns = this.#turns.filter((at) => at > now - MINUTE_MS);
    return this.#turns.push(now) > MAX_TURNS_A_MINUTE;
  }

  /** Handles the first frame of a client, which has the session's token. */
  async #open(socket: WebSocket, frame: Record<string, unknown>) {
    const { store, now } = this.#deps;
    const party = await this.#deps.open(frame, this.#sockets.clientOf(socket));
    const protocol = protocolFor(party);
    if (socket.readyState !== WebSocket.OPEN) return;
    await this.#deps.speech.prepare();
    // The client receives the conversation's id, and may read or erase it at once.
    if (protocol === "widget") await this.#deps.makeFindable().catch(this.#deps.report);
    if (socket.readyState !== WebSocket.OPEN || store.row === null) return;
    this.#sockets.choose(socket, protocol);
    // The participant did not hear the rest over the earlier connection.
    if (store.existing.lost_at === null) this.#voice.lost();
    this.#voice.stop();
    this.#sendReady();
    if (protocol === "widget") this.#tellLanguage();
    store.update({ held_by: "edge", lost_at: null, last_activity_at: now() });
    const answered = this.#voice.begin(party.trust === "carrier" ? party.spoken : NOTHING_SPOKEN);
    await this.#deps.arm();
    return answered && { answered };
  }

  #sendReady(): void {
    const { store, speech } = this.#deps;
    this.#sockets.send({ type: "ready", conversation_id: store.existing.id, speech: speech.isOffered });
  }

  /**
   * Tells a client the language of the conversation if it can change, because an earlier frame may have been lost with
   * a connection. A carrier gets the language in its instructions.
   */
  #tellLanguage(): void {
    const { session, events } = this.#deps.store;
    const { agent } = session.snapshot;
    if (agent.languages.length > 0) this.#sockets.send({ type: "language", language: languageNow(events, agent) });
  }

  /** Handles a second token from a client: a widget sends one after every renewal, a carrier never. */
  async #again(socket: WebSocket, protocol: ProtocolName, frame: Record<string, unknown>): Promise<void> {
    if (protocol !== "widget") return this.#letGo(socket, CLOSE.out_of_order, "setup was already sent");
    await this.#deps.open(frame, this.#sockets.clientOf(socket));
    this.#sendReady();
  }

  async #follow(incoming: Exclude<Incoming, { type: "open" }>): Promise<{ answered: Promise<void> } | void> {
    switch (incoming.type) {
      case "words":
        return this.#takeWords(incoming);
      case "partial_words":
        this.#voice.callerSpeaks();
        return;
      case "digits":
        this.#voice.callerSpeaks();
        this.#keypad.press(incoming.digits);
        return;
      case "interrupt":
        return this.#voice.interruptedBy(incoming.spokenText?.slice(0, MAX_TURN_CHARS));
      case "trouble":
        this.#deps.report(new Error(`the carrier reports: ${incoming.description.slice(0, 500)}`));
    }
  }

  /** Answers words once, even if they are sent several times, and confirms that they are recorded. */
  #takeWords({ text, lang, id }: Extract<Incoming, { type: "words" }>): { answered: Promise<void> } | undefined {
    const { store } = this.#deps;
    const isNew = id === undefined || noteMessage(store, id);
    // A caller who speaks has finished entering digits. A later answer to them would interrupt the answer to the words.
    if (isNew) this.#keepDigits();
    const answer = isNew ? this.#answerWords(text, lang) : undefined;
    if (id === undefined) return answer;
    store.flush();
    this.#sockets.send({ type: "received", id });
    return answer;
  }

  #answerWords(input: string, lang?: string): { answered: Promise<void> } | undefined {
    const words = input.trim();
    if (words === "") return;
    const { store, now } = this.#deps;
    const text = cut(words, MAX_TURN_CHARS);
    this.#voice.stop();
    const turnEndedAt = now();
    store.append(lang === undefined ? { type: "user_turn", text } : { type: "user_turn", text, lang }, turnEndedAt);
    store.update({ quiet_since: null, prompted_for_silence: 0 });
    this.#deps.spoke();
    const spoken = languageNow(store.events, store.session.snapshot.agent);
    // A recognizer may report another language than the caller speaks.
    if (asksToOptOut(text, spoken) || (lang !== undefined && asksToOptOut(text, lang))) this.#deps.actions.optOut();
    return { answered: this.#voice.answer(turnEndedAt) };
  }

  /** Answers a complete keypad entry. An entry that arrives too late for an answer is only recorded. */
  #entered(entry: string): void {
    const { store, report, now } = this.#deps;
    if (store.row?.ended_at !== null) return;
    if (this.connected && !this.#voice.isLeaving) this.#answerWords(entry)?.answered.catch(report);
    else store.append({ type: "user_turn", text: entry }, now());
  }

  /** Records the digits entered so far without an answer of their own. */
  #keepDigits(): void {
    const text = this.#keypad.take();
    if (text !== null) this.#deps.store.append({ type: "user_turn", text }, this.#deps.now());
  }

  /** Asks a silent caller whether they are there. */
  askWhetherThere(): void {
    this.#voice.askWhetherThere();
  }

  /** Makes the agent say goodbye because a budget is used up. */
  async leaveForBudget(): Promise<void> {
    await this.#voice.leaveForBudget();
  }

  /** Handles a closed socket. Returns why that ends the conversation; null if the client may reconnect. */
  closed(socket: WebSocket, code: number): "caller_hung_up" | null {
    this.#sockets.endSilence(socket);
    const other = this.#sockets.current;
    const protocol = this.#sockets.protocolOf(socket);
    if (protocol === null || (other !== null && other !== socket)) return null;
    this.#keepDigits();
    const { store, now } = this.#deps;
    if (store.row?.ended_at !== null) return null;
    this.#voice.lost();
    store.update({ lost_at: store.row.lost_at ?? now(), quiet_since: null });
    const isDeliberate = code === CLOSE.done || code === CLOSE.noCode;
    return isDeliberate && protocol === "conversation_relay" ? "caller_hung_up" : null;
  }

  /** Ends the conversation for this reason, with last words if a client is connected. */
  async leave(reason: string): Promise<void> {
    if (this.connected && this.#deps.store.existing.machine === 0) await this.#voice.leave(reason);
    else await this.#deps.end(reason);
  }

  /** Handles the loss of the client: what was not spoken was not heard. */
  lost(): void {
    this.#voice.lost();
  }

  /** Stops whatever is being said. */
  silence(): void {
    if (this.#deps.store.row?.held_by === "edge") this.#voice.lost();
    this.#voice.stop();
    this.#keepDigits();
  }

  /**
   * Disconnects at once a client that lost its access. A carrier is told that the conversation has ended, so that it
   * hangs up.
   */
  closeRevoked(reason: string): void {
    this.silence();
    if (this.#sockets.currentProtocol === "conversation_relay") this.#sockets.send({ type: "ended", reason });
    this.#sockets.closeAll(reason, CLOSE.refused);
  }

  /** Tells the client that the conversation has ended, and disconnects all clients. */
  close(reason: string): void {
    this.silence();
    this.#sockets.send({ type: "ended", reason });
    this.#sockets.closeAll(reason);
  }
}

/** Cuts a text to this many characters, with a mark if it was longer. Never splits a character. */
function cut(text: string, maxChars: number): string {
  return (text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text).toWellFormed();
}
