import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const CONNECTIONS = 16;
const END_OF_HEAD = Buffer.from("\r\n\r\n");
/** The end of a chunked answer. JSON never contains it. */
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/** A request that is repeated, and the expected status. */
export interface Load {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  status: number;
}

/**
 * Returns how many requests a second are answered over 16 kept connections, each of which sends again as soon as it has
 * its answer. It writes ready bytes to sockets, so that the measured side gets almost all of the processor time.
 * @throws Error at another status
 */
export async function requestsPerSecond(base: string, load: Load, ms: number): Promise<number> {
  const { hostname, port } = new URL(base);
  const bytes = bytesOf(hostname, load);
  const callers = Array.from({ length: CONNECTIONS }, () => new Caller(Number(port), hostname, bytes, load));
  try {
    await Promise.race([sleep(ms / 10), ...callers.map(({ broken }) => broken)]);
    const before = sum(callers);
    const began = performance.now();
    await Promise.race([sleep(ms), ...callers.map(({ broken }) => broken)]);
    return ((sum(callers) - before) * 1000) / (performance.now() - began);
  } finally {
    await Promise.all(callers.map((caller) => caller.end()));
  }
}

const sum = (callers: Caller[]) => callers.reduce((n, { answered }) => n + answered, 0);

function bytesOf(host: string, { method, path, headers, body }: Load): Buffer {
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${path} HTTP/1.1`, `host: ${host}`, ...lines, ...length, "", body ?? ""].join("\r\n"));
}

/** One connection that sends requests continuously. */
class Caller {
  answered = 0;
  readonly broken: Promise<never>;
  readonly #socket: Socket;
  readonly #request: Buffer;
  readonly #status: string;
  #unread: Buffer = Buffer.alloc(0);
  /** Where the current answer ends; null until its head has arrived. */
  #end: number | null = null;
  #ending = false;

  constructor(port: number, host: string, request: Buffer, { method, path, status }: Load) {
    this.#request = request;
    this.#status = `HTTP/1.1 ${status} `;
    this.#socket = connect({ port, host, noDelay: true });
    this.broken = new Promise((_, reject) => {
      this.#socket.on("error", reject);
      this.#socket.on("close", () => reject(new Error(`${method} ${path}: the connection was closed`)));
      this.#socket.on("data", (chunk) => {
        try {
          this.#take(chunk);
        } catch (error) {
          reject(new Error(`${method} ${path}: ${error instanceof Error ? error.message : error}`));
        }
      });
    });
    this.broken.catch(() => undefined);
    this.#socket.write(request);
  }

  #take(chunk: Buffer): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    this.#end ??= this.#endOfAnswer();
    if (this.#end === null || this.#unread.length < this.#end) return;
    this.#unread = this.#unread.subarray(this.#end);
    this.#end = null;
    this.answered++;
    if (this.#ending) this.#socket.destroy();
    else this.#socket.write(this.#request);
  }

  #endOfAnswer(): number | null {
    const head = this.#unread.indexOf(END_OF_HEAD);
    if (head === -1) return null;
    const text = this.#unread.toString("latin1", 0, head);
    if (!text.startsWith(this.#status)) throw new Error(this.#unread.toString());
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
    if (length !== undefined) return head + END_OF_HEAD.length + Number(length);
    const last = this.#unread.indexOf(LAST_CHUNK, head + END_OF_HEAD.length);
    return last === -1 ? null : last + LAST_CHUNK.length;
  }

  /** Waits for the current answer and closes the connection. */
  end(): Promise<unknown> {
    this.#ending = true;
    return new Promise((resolve) => {
      if (this.#socket.destroyed) return resolve(undefined);
      this.#socket.once("close", resolve);
    });
  }
}
