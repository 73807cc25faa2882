/** Most parts that are fetched at a time: the service gives out no more. */
const MAX_AT_ONCE = 2;

interface Progress {
  /** The audio is heard from now on. */
  begins(): void;
  /** This share of it was heard. */
  reached(share: number): void;
}

/**
 * Plays the parts that the agent's own voice says. Each is fetched whole as soon as it is known, because its address is
 * good for a minute, and because half a part must not be heard before the browser's voice says all of it.
 */
export class Player {
  /** One element for all parts: Safari lets it play on once a visitor has allowed it. */
  readonly #audio = new Audio();
  readonly #fetched = new Map<string, Promise<Blob>>();
  #open = 0;
  #wanted: readonly string[] = [];
  #away = new AbortController();
  #stopped = () => {};

  /** Fetches what is to be played next, in order. */
  ahead(addresses: readonly string[]): void {
    this.#wanted = addresses;
    for (const address of addresses) {
      if (this.#fetched.has(address)) continue;
      if (this.#open >= MAX_AT_ONCE) return;
      void this.#fetch(address);
    }
  }

  /** Plays a part. Rejects if it cannot be had, or is stopped. */
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
      // It was had, and is not fetched again.
      if (this.#fetched.has(address)) this.#fetched.set(address, Promise.resolve(new Blob()));
    }
  }

  /** Falls silent, and fetches nothing more of what was known. */
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
  // The script comes from the service, the page from elsewhere.
  const response = await fetch(new URL(address, import.meta.url), { credentials: "omit", signal });
  if (!response.ok) throw new Error(`no audio: ${response.status}`);
  return response.blob();
}
