import { evictDurableObject } from "cloudflare:test";

const TRIES = 8;

/**
 * Ends the instance of an object once it has no work under way, so that only what it has stored is left. The runtime
 * waits 30 s for that work, but on a busy machine it can give up within seconds, so it is asked again.
 */
export async function evict(stub: { id: DurableObjectId }): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await evictDurableObject(stub as DurableObjectStub);
    } catch (error) {
      if (tries === TRIES || !/Timed out waiting to evict/.test(String(error))) throw error;
      await scheduler.wait(5);
    }
  }
}
