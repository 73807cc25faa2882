import type { Outbox } from "../../src/kernel/durable/outbox.ts";

/** Delivers a due batch to a destination as an object's frame does. Returns when (ms) to continue. */
export async function roundOf<D extends string>(outbox: Outbox<D>, to: D, now: number): Promise<number | null> {
  const part = outbox.to(to);
  if ((part.dueAt({}) ?? Number.POSITIVE_INFINITY) <= now) await part.run(now, Number.POSITIVE_INFINITY);
  return part.dueAt({});
}
