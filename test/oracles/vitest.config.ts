import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["**/*.test.ts"],
    // Long enough for a busy machine. No test measures time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
