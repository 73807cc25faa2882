import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACCOUNT_NAME, mintSecret, parseApiKey } from "../../../src/kernel/secrets/api-key.ts";

const account = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,62}$/);

describe("an API key", () => {
  it("contains its account's name, including underscores, and its own checksum", () => {
    fc.assert(
      fc.property(account, (name) => {
        expect(parseApiKey(mintSecret(`sk_live_${name}`))).toEqual({ shape: "api_key", account: name, genuine: true });
      }),
    );
  });

  it("an API key is not genuine once any of its characters changes", () => {
    const base62 = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    fc.assert(
      fc.property(account, fc.nat(37), base62, (name, from, character) => {
        const key = mintSecret(`sk_live_${name}`);
        const at = key.length - 38 + from;
        fc.pre(key[at] !== character);
        const changed = key.slice(0, at) + character + key.slice(at + 1);
        expect(parseApiKey(changed)).toEqual({ shape: "api_key", account: name, genuine: false });
      }),
    );
  });

  it("an API key is not genuine under another account's name", () => {
    fc.assert(
      fc.property(account, account, (one, two) => {
        fc.pre(one !== two);
        const parsed = parseApiKey(mintSecret(`sk_live_${one}`).replace(`sk_live_${one}_`, `sk_live_${two}_`));
        expect(parsed).toMatchObject({ genuine: false });
      }),
    );
  });

  it("any text can be parsed as an API key without an exception", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `sk_live_${text}`),
        ),
        (text) => {
          const parsed = parseApiKey(text);
          expect(parsed.shape === "api_key" ? parsed.account : "none").toMatch(ACCOUNT_NAME);
        },
      ),
    );
  });

  it("an API key is random", () => {
    expect(new Set(Array.from({ length: 1_000 }, () => mintSecret("sk_live_a"))).size).toBe(1_000);
  });
});
