import { describe, expect, it } from "vitest";
import { sameSecret, sha256Hex } from "../../../src/kernel/secrets/hashing.ts";

describe("hashing", () => {
  it("compares secrets of any length", async () => {
    expect(await sameSecret("abc", "abc")).toBe(true);
    expect(await sameSecret("abc", "abcd")).toBe(false);
    expect(await sameSecret("", "a")).toBe(false);
  });

  it("uses SHA-256", async () => {
    expect(await sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
