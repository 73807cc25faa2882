import { vi } from "vitest";
import { ObservedObject } from "../../../src/kernel/observing/observed-object.ts";

/** Has the next `times` objects that are to be emptied fail; gives how many did. */
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

/** Has the object of this id fail from now on, as one whose code throws when it is built; gives how to mend it. */
export function failingObject(id: DurableObjectId): () => void {
  const { deleteEverything } = ObservedObject.prototype;
  let isMended = false;
  vi.spyOn(ObservedObject.prototype, "deleteEverything").mockImplementation(function (
    this: ObservedObject<object>,
  ): Promise<boolean> {
    const { ctx } = this as unknown as { ctx: DurableObjectState };
    if (!isMended && ctx.id.equals(id)) return Promise.reject(new Error("it cannot be built"));
    return deleteEverything.call(this);
  });
  return () => {
    isMended = true;
  };
}
