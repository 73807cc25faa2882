import { vi } from "vitest";

/**
 * Counts the characters of every text that is joined or made well-formed while `work` runs, such as the paths and
 * messages of errors. The count is the same on every machine.
 */
export async function charactersBuilt<T>(work: () => Promise<T>): Promise<{ result: T; characters: number }> {
  let built = 0;
  const { toWellFormed } = String.prototype;
  const { join } = Array.prototype;
  const spies = [
    vi.spyOn(String.prototype, "toWellFormed").mockImplementation(function (this: string) {
      built += this.length;
      return toWellFormed.call(this);
    }),
    vi.spyOn(Array.prototype, "join").mockImplementation(function (this: unknown[], separator?: string) {
      const text = join.call(this, separator);
      built += text.length;
      return text;
    }),
  ];
  try {
    return { result: await work(), characters: built };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
