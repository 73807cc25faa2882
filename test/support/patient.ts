import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

const { waitFor } = vi;
// It has no setting for all tests, unlike `expect.poll`.
vi.waitFor = (callback, options = PATIENCE_MS) => waitFor(callback, options);
