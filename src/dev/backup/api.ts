import { UnexpectedAnswer } from "../client.ts";

/** The network's `fetch`, or that of a runtime without an address. */
export type SendRequest = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | Buffer },
) => Promise<{ status: number; headers: { get(name: string): string | null }; arrayBuffer(): Promise<ArrayBuffer> }>;

/** How often a request is tried if the service or the network fails. */
const TRIES = 6;

/** The longest wait that a service may ask for, ms: its rate limits are per minute. */
const MOST_WAIT_MS = 90_000;

function retryAfterMs(header: string | null): number {
  const seconds = Number(header ?? "0");
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, MOST_WAIT_MS) : 0;
}

/** A client for a service's operator API, as a signed-in operator. Retries while the service is unavailable. */
export class OperatorApi {
  readonly base: string;
  readonly #send: SendRequest;
  readonly #headers: () => Promise<Record<string, string>>;
  readonly #pause: (ms: number) => Promise<unknown>;

  constructor(
    base: string,
    send: SendRequest,
    headers: () => Promise<Record<string, string>>,
    pause: (ms: number) => Promise<unknown>,
  ) {
    this.base = base;
    this.#send = send;
    this.#headers = headers;
    this.#pause = pause;
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), type: "application/json" };
    const { bytes } = await this.bytes(method, path, init);
    return (bytes.length === 0 ? undefined : JSON.parse(bytes.toString())) as T;
  }

  /** @throws UnexpectedAnswer for anything but success */
  async bytes(
    method: string,
    path: string,
    { body, type, headers = {} }: { body?: string | Buffer; type?: string; headers?: Record<string, string> } = {},
  ): Promise<{ bytes: Buffer; type: string }> {
    for (let n = 1; ; n++) {
      const all = Object.assign({}, await this.#headers(), headers, type === undefined ? {} : { "content-type": type });
      let wait = 500 * 2 ** n;
      const init = body === undefined ? { method, headers: all } : { method, headers: all, body };
      const answer = await this.#send(this.base + path, init).catch((error: unknown) => {
        if (n === TRIES) throw error;
        return null;
      });
      if (answer !== null) {
        const bytes = Buffer.from(await answer.arrayBuffer());
        if (answer.status < 400)
          return { bytes, type: answer.headers.get("x-content-type") ?? "application/octet-stream" };
        const isTransient = answer.status === 429 || answer.status >= 500;
        if (!isTransient || n === TRIES) {
          const code = answer.headers.get("x-error-code");
          throw new UnexpectedAnswer(`${method} ${path}`, answer.status, bytes.toString(), code);
        }
        wait = Math.max(wait, retryAfterMs(answer.headers.get("retry-after")));
      }
      await this.#pause(wait);
    }
  }
}
