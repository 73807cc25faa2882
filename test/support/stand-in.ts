type Methods = Record<string, (...args: unknown[]) => unknown>;

/** A namespace whose every object has these methods, called directly or for a request. */
export function standIn(methods: Methods) {
  const hop = async (_request: unknown, _object: string, method: string, args: unknown[]) => methods[method]?.(...args);
  const object = Object.assign({ hop }, methods);
  return { getByName: () => object };
}
