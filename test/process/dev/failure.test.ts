import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { failureText } from "../../../src/dev/failure.ts";
import { ROOT } from "../../../src/dev/paths.ts";

it("a failure is reported with its causes and without a stack", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
  expect(failureText(new TypeError("fetch failed", { cause: refused }))).toBe(
    "fetch failed: connect ECONNREFUSED 127.0.0.1:9",
  );
  const each = new AggregateError([refused, new Error("connect ECONNREFUSED ::1:9")], "");
  expect(failureText(new TypeError("fetch failed", { cause: each }))).toBe(
    "fetch failed: connect ECONNREFUSED 127.0.0.1:9, connect ECONNREFUSED ::1:9",
  );
  expect(failureText("no")).toBe("no");
  expect(failureText(new Error(""))).toBe("Error");
});

it("causes that form a cycle or repeat are reported once", () => {
  const error = new Error("one");
  error.cause = error;
  expect(failureText(error)).toBe("one");
  expect(failureText(new Error("one and two", { cause: new Error("two") }))).toBe("one and two");
});

it("all commands report failures in the same way", async () => {
  const names = await readdir(join(ROOT, "src/dev"), { recursive: true });
  for (const name of names.filter((one) => one.endsWith(".ts") && !one.includes("node_modules"))) {
    const text = await readFile(join(ROOT, "src/dev", name), "utf8");
    expect(/instanceof Error \? \w+\.message/.test(text), name).toBe(false);
  }
});
