import { afterEach, expect, it, vi } from "vitest";
import { Push } from "../../../src/account/gate/push.ts";
import { MINUTE_MS } from "../../../src/kernel/time.ts";

afterEach(() => vi.restoreAllMocks());

it("a gate that is rebuilt during a write delivers again when the write must have landed", async () => {
  const rebuiltAt = Date.parse("2026-11-30T10:00:00Z");
  const clock = vi.spyOn(Date, "now").mockReturnValue(rebuiltAt);
  const delivered: number[] = [];
  const deliver = async () => {
    delivered.push(Date.now());
    return null;
  };
  const push = new Push({ deliver, owes: () => true, arm: async () => {}, report: () => {} });
  push.resume(rebuiltAt, rebuiltAt + MINUTE_MS);
  for (let at = push.dueAt(); at !== null && delivered.length < 5; at = push.dueAt()) {
    clock.mockReturnValue(at);
    await push.run();
  }
  expect(delivered).toEqual([rebuiltAt, rebuiltAt + MINUTE_MS]);
});
