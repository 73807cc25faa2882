import type { After } from "../../src/kernel/time-limit.ts";

/** Timers that run only when a test lets time pass. */
export function heldTimers() {
  const pending = new Set<{ at: number; run: () => void }>();
  let now = 0;
  let isSet = Promise.withResolvers<void>();
  const after: After = (ms, run) => {
    const timer = { at: now + ms, run };
    pending.add(timer);
    isSet.resolve();
    return () => pending.delete(timer);
  };
  return {
    after,
    /** Lets this many ms pass once another timer is set. */
    async advance(ms: number): Promise<void> {
      await isSet.promise;
      isSet = Promise.withResolvers();
      now += ms;
      for (const timer of pending) if (timer.at <= now && pending.delete(timer)) timer.run();
    },
    get pending(): number {
      return pending.size;
    },
  };
}
