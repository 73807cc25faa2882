import { afterEach, describe, expect, it, vi } from "vitest";
import { logError } from "../../src/kernel/log.ts";

/** Returns the log lines that an error writes. */
function lines(error: unknown, context?: Record<string, string | number>): unknown[] {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  logError("test", error, context);
  return log.mock.calls.map(([line]) => JSON.parse(String(line)));
}

describe("an error in the log", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("an error in the log is one line of JSON that says where it happened and what it concerns", () => {
    const account = "acme";
    expect(lines(new RangeError("too far"), { account })).toEqual([
      { level: "error", at: "test", account, error: "RangeError: too far" },
    ]);
  });

  it("names its causes", () => {
    const error = new Error("not stored", { cause: new TypeError("no line", { cause: "a cable" }) });
    expect(lines(error)).toMatchObject([{ error: "Error: not stored (TypeError: no line (a cable))" }]);
  });

  it("contains no phone number, nor do its causes", () => {
    const error = new Error("+12025550110 is busy", { cause: "failed for 493012345678" });
    expect(lines(error)).toMatchObject([{ error: "Error: ***10 is busy (failed for ***78)" }]);
  });

  it("contains the identifiers it concerns unmasked", () => {
    const call_id = "01234567-89ab-7cde-8f01-234567890123";
    expect(lines("gone", { call_id, tries: 1234567 })).toMatchObject([{ call_id, tries: 1234567, error: "gone" }]);
  });
});
