import { vi } from "vitest";
import { WAIT_TIMEOUT_MS } from "./wait-timeout.ts";

const { waitFor } = vi;
// It has no setting for all tests, unlike `expect.poll`.
vi.waitFor = (callback, options) => {
  if (typeof options === "number") return waitFor(callback, options);
  return waitFor(callback, Object.assign({ timeout: WAIT_TIMEOUT_MS }, options));
};
