import { describe, expect, it } from "vitest";
import { hashPassword, sameSecret, sha256Hex, verifyPassword } from "../../src/secrets/hashing.ts";

describe("hashing", () => {
  it("knows a password again, and no other", async () => {
    const stored = await hashPassword("correct horse");
    expect(stored).toMatch(/^pbkdf2-sha256\$100000\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword("correct horse", stored)).toBe(true);
    expect(await verifyPassword("correct horse ", stored)).toBe(false);
    expect(await verifyPassword("", stored)).toBe(false);
    expect(await hashPassword("correct horse")).not.toBe(stored);
  });

  it("has no password for nobody", async () => {
    for (const password of ["", "x", "undefined"]) expect(await verifyPassword(password, undefined)).toBe(false);
  });

  it("compares secrets of any length", async () => {
    expect(await sameSecret("abc", "abc")).toBe(true);
    expect(await sameSecret("abc", "abcd")).toBe(false);
    expect(await sameSecret("", "a")).toBe(false);
  });

  it("is SHA-256", async () => {
    expect(await sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
