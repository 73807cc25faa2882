import type { Outbox } from "../../src/kernel/durable/outbox.ts";

/** Delivers a batch to a destination if that is due, as an object's frame does; gives when (ms) to go on. */
export async function roundOf<D extends string>(outbox: Outbox<D>, to: D, now: number): Promise<number | null> {
  const part = outbox.to(to);
  if ((part.dueAt() ?? Number.POSITIVE_INFINITY) <= now) await part.run(now, Number.POSITIVE_INFINITY);
  return part.dueAt();
}
