import { vi } from "vitest";
import { currentRequest } from "../../src/kernel/observing/request-context.ts";

/**
 * Counts the characters of every text that requests join or make well-formed while `work` runs, such as the paths and
 * messages of errors. The count is the same on every machine, because alarms and the reports of the test runner do not
 * belong to a request.
 */
export async function charactersBuilt<T>(work: () => Promise<T>): Promise<{ result: T; characters: number }> {
  let built = 0;
  const count = (text: string) => {
    if (currentRequest()) built += text.length;
  };
  const { toWellFormed } = String.prototype;
  const { join } = Array.prototype;
  const spies = [
    vi.spyOn(String.prototype, "toWellFormed").mockImplementation(function (this: string) {
      count(String(this));
      return toWellFormed.call(this);
    }),
    vi.spyOn(Array.prototype, "join").mockImplementation(function (this: unknown[], separator?: string) {
      const text = join.call(this, separator);
      count(text);
      return text;
    }),
  ];
  try {
    return { result: await work(), characters: built };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
