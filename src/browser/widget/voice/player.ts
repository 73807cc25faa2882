/** The most parts fetched at a time, which is the service's limit. */
const MAX_AT_ONCE = 2;

interface Progress {
  /** The audio began to play. */
  begins(): void;
  /** This share of the audio was played. */
  reached(share: number): void;
}

/**
 * Plays the parts spoken by the agent's own voice. Each part is fetched completely as soon as it is known, because its
 * address is valid for only a minute, and because the visitor must not hear half a part before the browser's voice
 * repeats all of it.
 */
export class Player {
  /** One element plays all parts, because Safari lets an element continue to play once the visitor has allowed it. */
  readonly #audio = new Audio();
  readonly #fetched = new Map<string, Promise<Blob>>();
  #open = 0;
  #wanted: readonly string[] = [];
  #away = new AbortController();
  #stopped = () => {};

  /** Fetches the parts that play next, in order. */
  ahead(addresses: readonly string[]): void {
    this.#wanted = addresses;
    for (const address of addresses) {
      if (this.#fetched.has(address)) continue;
      if (this.#open >= MAX_AT_ONCE) return;
      void this.#fetch(address);
    }
  }

  /** Plays a part. Rejects if it cannot be fetched or is stopped. */
  async play(address: string, { begins, reached }: Progress): Promise<void> {
    const blob = await (this.#fetched.get(address) ?? this.#fetch(address));
    const audio = this.#audio;
    const url = URL.createObjectURL(blob);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#stopped = () => reject(new Error("stopped"));
        audio.onplaying = begins;
        audio.ontimeupdate = () => reached(audio.currentTime / audio.duration || 0);
        audio.onended = () => resolve();
        audio.onerror = () => reject(new Error("the audio cannot be played"));
        audio.src = url;
        audio.play().catch(reject);
      });
    } finally {
      URL.revokeObjectURL(url);
      // An empty blob prevents a part that was played from being fetched again.
      if (this.#fetched.has(address)) this.#fetched.set(address, Promise.resolve(new Blob()));
    }
  }

  stop(): void {
    this.#audio.pause();
    this.#stopped();
    this.#away.abort();
    this.#away = new AbortController();
    this.#wanted = [];
    this.#fetched.clear();
  }

  #fetch(address: string): Promise<Blob> {
    const fetched = audioAt(address, this.#away.signal);
    this.#open++;
    const over = () => {
      this.#open--;
      this.ahead(this.#wanted);
    };
    fetched.then(over, over);
    this.#fetched.set(address, fetched);
    return fetched;
  }
}

async function audioAt(address: string, signal: AbortSignal): Promise<Blob> {
  // The address is relative to the service, which served this script; the page has another origin.
  const response = await fetch(new URL(address, import.meta.url), { credentials: "omit", signal });
  if (!response.ok) throw new Error(`no audio: ${response.status}`);
  return response.blob();
}
