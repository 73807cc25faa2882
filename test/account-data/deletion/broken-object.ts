import { vi } from "vitest";
import { ObservedObject } from "../../../src/kernel/observing/observed-object.ts";

/** Makes emptying the next `times` objects fail. Returns a function that returns how many have failed. */
export function brokenObject(times: number): () => number {
  const { deleteEverything } = ObservedObject.prototype;
  let failed = 0;
  vi.spyOn(ObservedObject.prototype, "deleteEverything").mockImplementation(function (
    this: ObservedObject<object>,
  ): Promise<boolean> {
    if (failed++ < times) return Promise.reject(new Error("the object is away"));
    return deleteEverything.call(this);
  });
  return () => Math.min(failed, times);
}

/**
 * Makes the object with this id fail from now on, as if its code threw when it was built: it cannot be emptied, and its
 * alarm does no work. Returns the function that repairs it.
 */
export function failingObject(id: DurableObjectId): () => void {
  const { deleteEverything } = ObservedObject.prototype;
  let isMended = false;
  vi.spyOn(ObservedObject.prototype, "deleteEverything").mockImplementation(function (
    this: ObservedObject<object>,
  ): Promise<boolean> {
    const { ctx, frame } = this as unknown as { ctx: DurableObjectState; frame: { close(): void } };
    if (isMended || !ctx.id.equals(id)) return deleteEverything.call(this);
    frame.close();
    return Promise.reject(new Error("it cannot be built"));
  });
  return () => {
    isMended = true;
  };
}
