type Methods = Record<string, (...args: unknown[]) => unknown>;

/**
 * Creates a namespace whose objects have the methods that `of` returns for a name. They can be called directly or
 * through a hop.
 */
export function standIn(of: (name: string) => Methods) {
  return {
    getByName: (name: string) => {
      const methods = of(name);
      const hop = async (_request: unknown, _object: string, method: string, args: unknown[]) =>
        methods[method]?.(...args);
      return Object.assign({ hop }, methods);
    },
  };
}
