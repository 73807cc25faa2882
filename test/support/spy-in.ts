import { type Mock, vi } from "vitest";

type Method = (...args: never[]) => unknown;

/**
 * Replaces a method of one object, and returns its mock, which calls the original unless the test makes it do something
 * else. A spy of the class would also count and change the calls of earlier tests' objects, which may still have work
 * left on a busy machine.
 */
export function spyIn<Name extends string>(
  stub: { id: DurableObjectId },
  { prototype }: { prototype: Record<Name, Method> },
  name: Name,
): Mock<Method> {
  const original: Method = prototype[name];
  const mock = vi.fn<Method>(function (this: unknown, ...args) {
    return Reflect.apply(original, this, args);
  });
  vi.spyOn(prototype as Record<string, Method>, name).mockImplementation(function (this: unknown, ...args) {
    const { id } = Reflect.get(Object(this), "ctx") as DurableObjectState;
    return Reflect.apply(id.equals(stub.id) ? mock : original, this, args);
  });
  return mock;
}
