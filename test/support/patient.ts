import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

const { waitFor } = vi;
// It has no setting for all tests, unlike `expect.poll`.
vi.waitFor = (callback, options) => {
  if (typeof options === "number") return waitFor(callback, options);
  return waitFor(callback, Object.assign({ timeout: PATIENCE_MS }, options));
};
