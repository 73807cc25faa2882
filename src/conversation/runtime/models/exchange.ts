/** Maximum bytes of an answer, far more than any conversation needs, and of a refusal. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 16 * 1024;
/** Some servers mark the end of an answer only with this line, which the AI SDK ignores. */
const DONE = /[\r\n]data: ?\[DONE\]\s*$/;
const DONE_CHARS = 20;

/** Observes the bytes of one request, because the AI SDK does not report all relevant details. */
export class Exchange {
  /** The status of a refusal. */
  refused: number | null = null;
  /** When a refused request may be sent again, ms; null if the server does not say. */
  retryAfterMs: number | null = null;
  answered = false;
  /** Why the bytes ended early, if they did. */
  cut: "lost" | "too long" | null = null;
  readonly #fetch: typeof globalThis.fetch;
  readonly #now: () => number;
  #tail = "\n";

  /** @param now ms */
  constructor(fetch: typeof globalThis.fetch, now: () => number) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** Whether the answer ended with the line that marks its end. */
  get done(): boolean {
    return DONE.test(this.#tail);
  }

  /**
   * The fetch that the AI SDK uses. It refuses redirects, which would send the key to a host that is not configured.
   */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await this.#fetch(input, { ...init, redirect: "manual" });
    this.answered = true;
    if (!response.ok || !response.body) this.refused = response.status;
    if (!response.ok) this.retryAfterMs = retryAfter(response.headers.get("retry-after"), this.#now());
    if (!response.body) return response;
    const most = response.ok ? MAX_ANSWER_BYTES : MAX_REFUSAL_BYTES;
    return new Response(this.#bounded(response.body, most), { status: response.status });
  };

  /** Passes the bytes on. An interruption ends them without an error, so that the received part is kept. */
  #bounded(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let size = 0;
    const next = async (): Promise<Uint8Array | undefined> => {
      try {
        return (await reader.read()).value;
      } catch {
        this.cut = "lost";
      }
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const bytes = await next();
          if (!bytes) return controller.close();
          size += bytes.length;
          if (size > most) this.cut = "too long";
          else controller.enqueue(bytes);
          this.#tail = (this.#tail + decoder.decode(bytes.subarray(-DONE_CHARS))).slice(-DONE_CHARS);
          if (this.cut === null && !this.done) return;
          controller.close();
          await reader.cancel();
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

/** Parses `Retry-After` into ms from `now` (RFC 9110, 10.2.3: seconds or a date); null if there is none. */
function retryAfter(header: string | null, now: number): number | null {
  const value = header?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const at = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
