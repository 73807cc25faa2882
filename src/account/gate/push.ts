import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { PROMPT_RETRY } from "../../kernel/durable/part-failures.ts";
import { MINUTE_MS } from "../../kernel/time.ts";

/** When to check after a write whether a crashed instance left something behind, ms. No batch takes this long. */
const LOOK_AFTER_MS = MINUTE_MS;

interface Dependencies {
  /** Delivers everything pending. Returns when (ms) to check again; null if there is no need. */
  deliver(): Promise<number | null>;
  /** Whether something may be pending when the gate is built. It is then delivered even if the alarm was lost. */
  owes(): boolean;
  arm(): Promise<void>;
  report(error: unknown): void;
}

/**
 * Delivers what was written here or in D1 to another object at once. The alarm retries failures, and delivers what a
 * crashed gate left behind. The time of the next check is stored only as the gate's alarm, but a gate that died during a
 * write also delivers when it is rebuilt, because the alarm may have been lost with its process.
 */
export class Push implements ObjectPart {
  readonly retry = PROMPT_RETRY;
  readonly #deps: Dependencies;
  #at: number | null = null;
  /** When (ms) a gate that was rebuilt during a write checks once more, because the write may only land now. */
  #checkAt: number | null = null;
  #pushing: Promise<void> | null = null;
  #again = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Announces a write that must be delivered afterwards. */
  async expect(): Promise<void> {
    this.#at = earliest([this.#at, Date.now() + LOOK_AFTER_MS]);
    await this.#deps.arm();
  }

  /** Delivers everything pending, including what is written in the meantime. The alarm retries a failure. */
  async push(): Promise<void> {
    try {
      await this.#push();
    } catch (error) {
      this.#deps.report(error);
      await this.#deps.arm();
    }
  }

  dueAt(): number | null {
    return this.#at;
  }

  async run(): Promise<void> {
    await this.#push();
  }

  resume(now: number, armedAt: number | null): void {
    const owes = this.#deps.owes();
    this.#at = owes ? now : armedAt;
    this.#checkAt = owes ? armedAt : null;
  }

  remind(at: number): void {
    this.#at = earliest([this.#at, at]);
  }

  #push(): Promise<void> {
    this.#again = true;
    this.#pushing ??= this.#deliver().finally(() => {
      this.#pushing = null;
    });
    return this.#pushing;
  }

  async #deliver(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      this.#at = this.#checkAt !== null && this.#checkAt > Date.now() ? this.#checkAt : null;
      try {
        const again = await this.#deps.deliver();
        this.#at = earliest([this.#at, again]);
      } catch (error) {
        this.#at = Date.now() + PROMPT_RETRY.firstMs;
        throw error;
      }
    }
    // No other code sets the alarm for the next check.
    if (this.#at !== null) await this.#deps.arm();
  }
}
