import { vi } from "vitest";
import { WAIT_TIMEOUT_MS } from "./wait-timeout.ts";

const { waitFor } = vi;
// Vitest has no global setting for this, unlike for `expect.poll`.
vi.waitFor = (callback, options) => {
  if (typeof options === "number") return waitFor(callback, options);
  return waitFor(callback, Object.assign({ timeout: WAIT_TIMEOUT_MS }, options));
};
