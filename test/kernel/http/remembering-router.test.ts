import { describe, expect, it } from "vitest";
import { RememberingRouter } from "../../../src/kernel/http/remembering-router.ts";

function routed(): RememberingRouter<string> {
  const router = new RememberingRouter<string>();
  router.add("ALL", "*", "scope");
  router.add("GET", "/agents/:id", "one agent");
  router.add("PATCH", "/agents/:id", "change");
  return router;
}

describe("the router", () => {
  it("returns the remembered route of a path with that path's own parameters and method", () => {
    const router = routed();
    const first = router.match("GET", "/agents/1");
    router.match("GET", "/agents/2");
    router.match("PATCH", "/agents/1");
    expect(router.match("GET", "/agents/1")).toBe(first);
    expect(router.match("GET", "/agents/1")).toEqual(routed().match("GET", "/agents/1"));
    expect(router.match("GET", "/agents/2")).toEqual(routed().match("GET", "/agents/2"));
    expect(router.match("PATCH", "/agents/1")).toEqual(routed().match("PATCH", "/agents/1"));
  });

  it("drops the oldest of more than a thousand paths", () => {
    const router = routed();
    const first = router.match("GET", "/agents/first");
    const second = router.match("GET", "/agents/second");
    for (let n = 0; n < 999; n++) router.match("GET", `/agents/${n}`);
    expect(router.match("GET", "/agents/second")).toBe(second);
    expect(router.match("GET", "/agents/first")).not.toBe(first);
  });

  it("never remembers a path longer than any that the API has", () => {
    const router = routed();
    const path = `/agents/${"x".repeat(300)}`;
    expect(router.match("GET", path)).not.toBe(router.match("GET", path));
  });

  it("finds a route that is added after its path was remembered", () => {
    const router = routed();
    router.match("GET", "/tools");
    router.add("GET", "/tools", "tools");
    expect(JSON.stringify(router.match("GET", "/tools"))).toContain("tools");
  });
});
