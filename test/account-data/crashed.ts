import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { FAILURES_KEY } from "../../src/kernel/durable/object-frame.ts";

/** Evicts an object whose process died, and lets the part that failed run again without its delay. */
export async function restarted(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => void storage.kv.delete(FAILURES_KEY));
  await evictDurableObject(stub);
}
