/** Measures the level of the microphone, 0 to 1. Holds the microphone only between `start` and `stop`. */
export class Meter {
  readonly #show: (level: number) => void;
  #stream: MediaStream | undefined;
  #context: AudioContext | undefined;
  #frame = 0;
  /** The number of starts and stops. A microphone that is granted after a stop is released. */
  #era = 0;

  constructor(show: (level: number) => void) {
    this.#show = show;
  }

  /** Whether the level is measured; otherwise the caller must guess it. */
  get isOn(): boolean {
    return this.#context !== undefined;
  }

  /**
   * Requests the microphone once recognition has it. Does nothing on phones, which grant it to only one user at a time.
   */
  async start(): Promise<void> {
    if (this.#stream || matchMedia("(pointer: coarse)").matches) return;
    const era = ++this.#era;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true } });
      if (era !== this.#era) return release(stream);
      this.#stream = stream;
      const context = new AudioContext();
      this.#context = context;
      const analyser = context.createAnalyser();
      analyser.fftSize = 512;
      context.createMediaStreamSource(stream).connect(analyser);
      this.#measure(analyser, new Float32Array(analyser.fftSize));
    } catch {
      // Everything else works without the meter.
      if (era === this.#era) this.stop();
    }
  }

  /** Releases the microphone, so that the browser no longer shows that it is open. */
  stop(): void {
    this.#era++;
    cancelAnimationFrame(this.#frame);
    if (this.#stream) release(this.#stream);
    this.#stream = undefined;
    void this.#context?.close().catch(() => undefined);
    this.#context = undefined;
    this.#show(0);
  }

  #measure(analyser: AnalyserNode, samples: Float32Array<ArrayBuffer>): void {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    this.#show(Math.min(1, Math.sqrt(power) * 6));
    this.#frame = requestAnimationFrame(() => this.#measure(analyser, samples));
  }
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
