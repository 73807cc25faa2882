import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import {
  publicKeySet,
  SigningUnavailable,
  signText,
  signToken,
  verifyToken,
} from "../../../src/kernel/secrets/tokens.ts";

async function jwk(kid: string) {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
}
const now = Date.now();
const [OLD, NEW] = [await jwk("old"), await jwk("new")];
const ring = (...keys: object[]) => JSON.stringify(keys);

describe("the service's tokens", () => {
  it("a token is signed with the first key and verified with any", async () => {
    const before = await signToken(ring(OLD), "console", { sub: "u" }, 60, now);
    expect(await verifyToken(ring(NEW, OLD), "console", before, now)).toMatchObject({ sub: "u" });
    expect(await verifyToken(ring(NEW), "console", before, now)).toBeNull();
    const after = await signToken(ring(NEW, OLD), "console", { sub: "u" }, 60, now);
    expect(await verifyToken(ring(NEW), "console", after, now)).toMatchObject({ sub: "u" });
    expect((await publicKeySet(ring(NEW, OLD))).keys.map(({ kid }) => kid)).toEqual(["new", "old"]);
  });

  it("a token is valid for one purpose and until the second it expires", async () => {
    const token = await signToken(ring(OLD), "console", { sub: "u" }, 60, now);
    expect(await verifyToken(ring(OLD), "runtime", token, now)).toBeNull();
    const expiry = (Math.floor(now / 1000) + 60) * 1000;
    expect(await verifyToken(ring(OLD), "console", token, expiry - 1)).not.toBeNull();
    expect(await verifyToken(ring(OLD), "console", token, expiry)).toBeNull();
  });

  it("no token is issued without a key", async () => {
    for (const none of [undefined, "", "[]"]) {
      await expect(signToken(none, "console", { sub: "u" }, 60, now)).rejects.toThrow(SigningUnavailable);
      await expect(signText(none, "url", "text")).rejects.toThrow(SigningUnavailable);
    }
  });
});

describe("signing keys", () => {
  const { d: _, ...publicHalf } = OLD;
  it.each([
    ["no JSON", "broken"],
    ["no array", JSON.stringify(OLD)],
    ["a key without an id", ring({ ...OLD, kid: undefined })],
    ["a public key", ring(publicHalf)],
    ["a key of another kind", ring({ kty: "oct", k: "AAAA", kid: "1" })],
    ["an invalid key", ring({ ...OLD, d: "AAAA" })],
    ["two keys under one id", ring(OLD, { ...NEW, kid: "old" })],
    ["ids that differ in case alone", ring(OLD, { ...NEW, kid: "OLD" })],
    ["no key at all", "[]"],
  ])("signing keys that are %s are refused in a sentence without the keys", async (_, keys) => {
    const refused = await publicKeySet(keys).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SigningUnavailable);
    expect(String(refused)).toMatch(/SIGNING_KEYS/);
    expect(String(refused)).not.toContain(OLD.d);
  });
});

describe("signed text", () => {
  it("depends on key, purpose and text", async () => {
    const signed = [
      await signText(ring(OLD), "url", "text"),
      await signText(ring(OLD), "url", "text2"),
      await signText(ring(OLD), "webhook", "text"),
      await signText(ring(NEW), "url", "text"),
    ];
    expect(new Set(signed).size).toBe(4);
    expect(await signText(ring(OLD), "url", "text")).toBe(signed[0]);
  });
});
