/** Runs something after so many ms; returns what calls it off. */
export type After = (ms: number, run: () => void) => () => void;

/** The runtime's own timers. */
export const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Waits for the work, for at most `ms`. Work that takes longer goes on unobserved: what it did counts as unknown.
 * @throws what the work throws, or an Error once the time is over
 */
export async function withinTime<T>(work: Promise<T>, ms: number, after: After = afterTimeout): Promise<T> {
  const late = Promise.withResolvers<never>();
  const callOff = after(ms, () => late.reject(new Error(`no answer within ${ms} ms`)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    callOff();
  }
}
