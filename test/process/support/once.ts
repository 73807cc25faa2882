/** What the projects of one run share: the first that asks has it created. Each project loads its modules anew. */
export function once<T>(name: string, make: () => Promise<T>): Promise<T> {
  const key = Symbol.for(`switchboard tests: ${name}`);
  const shared = globalThis as unknown as Record<symbol, Promise<T> | undefined>;
  shared[key] ??= make();
  return shared[key];
}
