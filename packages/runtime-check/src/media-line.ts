import type { Dialect } from "./dialects.ts";
import { closing, connect, type Destination, type Line, opening, type Party, until } from "./line.ts";
import { loudness, resampled, type Sound } from "./sound.ts";

const FRAME_MS = 20;
/** Audio below this level counts as silence, which many runtimes stream while they have nothing to say. */
const AUDIBLE = 100;
/** The caller's silence after speaking, ms: longer than speech detectors wait. */
const SILENCE_MS = 900;

/** A carrier that streams audio: plays what it receives in real time and reports played marks. */
export class MediaLine implements Line {
  readonly opened: Promise<boolean>;
  closedWith: number | null = null;
  spokeAt = 0;
  clears = 0;
  readonly unknown: string[] = [];
  readonly #socket: WebSocket;
  readonly #dialect: Dialect;
  readonly #first: ReturnType<Dialect["first"]>;
  readonly #speech: Sound;
  /** The caller's audio that is not sent yet. */
  #unsent: Int16Array[] = [];
  #frames = 0;
  #began = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When (ms) the received audio, and its audible part, ends. */
  #playsUntil = 0;
  #audibleUntil = 0;
  #marks: { name: string; at: number }[] = [];

  constructor(to: Destination, dialect: Dialect, { token, call_id, headers }: Party, speech: Sound) {
    this.#dialect = dialect;
    this.#speech = speech;
    this.#first = dialect.first(token, call_id);
    this.#socket = connect(dialect.address(to.url, token), headers);
    this.opened = opening(this.#socket, to.timeoutMs);
    this.#socket.addEventListener("message", ({ data }) => this.#take(data));
    closing(this.#socket, (code) => {
      this.closedWith = code;
      clearInterval(this.#timer);
    });
  }

  get speaking(): boolean {
    return Date.now() < this.#audibleUntil;
  }

  begin(): void {
    for (const frame of this.#first) this.#send(frame);
    this.#began = Date.now();
    this.#timer = setInterval(() => this.#tick(), FRAME_MS);
  }

  async say(): Promise<void> {
    const { rate } = this.#dialect;
    const size = (rate * FRAME_MS) / 1000;
    const words = resampled(this.#speech, rate);
    const all = new Int16Array(words.length + (rate * SILENCE_MS) / 1000);
    all.set(words);
    this.#unsent = [];
    for (let at = 0; at < all.length; at += size) this.#unsent.push(all.subarray(at, at + size));
    const silent = SILENCE_MS / FRAME_MS;
    await until(() => this.#unsent.length <= silent || this.closedWith !== null, 60_000);
  }

  sendOddity(): void {
    this.#send({ event: "switchboard.unknown", type: "switchboard.unknown", of: { no: "meaning" } });
  }

  leave(): void {
    clearInterval(this.#timer);
    if (this.#dialect.stop) this.#send(this.#dialect.stop);
    else this.#socket.close(1000);
  }

  drop(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }

  /** Sends the due audio and reports what was played. */
  #tick(): void {
    const due = (Date.now() - this.#began) / FRAME_MS;
    const silence = new Int16Array((this.#dialect.rate * FRAME_MS) / 1000);
    while (this.#frames < due) this.#send(this.#dialect.audio(this.#unsent.shift() ?? silence, ++this.#frames));
    this.#reportMarks(Date.now());
  }

  #reportMarks(now: number): void {
    const played = this.#marks.filter(({ at }) => at <= now);
    this.#marks = this.#marks.filter(({ at }) => at > now);
    for (const { name } of played) this.#send(this.#dialect.played(name));
  }

  #take(data: unknown): void {
    const sent = this.#dialect.read(typeof data === "string" ? data : Buffer.from(data as ArrayBuffer));
    const now = Date.now();
    switch (sent.type) {
      case "audio": {
        this.#playsUntil = Math.max(now, this.#playsUntil) + (1000 * sent.samples.length) / this.#dialect.rate;
        if (loudness(sent.samples) < AUDIBLE) return;
        this.spokeAt = now;
        this.#audibleUntil = this.#playsUntil;
        return;
      }
      case "clear":
        this.clears++;
        this.#playsUntil = now;
        this.#audibleUntil = Math.min(now, this.#audibleUntil);
        this.#reportMarks(Number.POSITIVE_INFINITY);
        return;
      case "mark":
        this.#marks.push({ name: sent.name, at: this.#playsUntil });
        return;
      case "unknown":
        this.unknown.push(sent.frame);
    }
  }

  #send(frame: object): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(Buffer.isBuffer(frame) ? new Uint8Array(frame) : JSON.stringify(frame));
  }
}
