import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Vault, VaultUnavailable } from "../../../src/kernel/secrets/vault.ts";

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const [OLD, NEW] = [`k1:${key(1)}`, `k2:${key(2)}`];
const row = { account: "acme", table: "telephony_providers", id: "p1" };

describe("the vault", () => {
  it("opens a value that it sealed, and the sealed text does not contain the value", async () => {
    const vault = new Vault(OLD);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await vault.open(await vault.seal(value, row), row)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const sealed = await vault.seal({ auth_token: "hunter2hunter2" }, row);
    expect(sealed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/);
    expect(await vault.seal({ auth_token: "hunter2hunter2" }, row)).not.toBe(sealed);
  });

  it("opens a value only in its own row, table and account", async () => {
    const vault = new Vault(OLD);
    const sealed = await vault.seal("secret", row);
    for (const elsewhere of [{ account: "globex" }, { table: "integrations" }, { id: "p2" }]) {
      await expect(vault.open(sealed, { ...row, ...elsewhere })).rejects.toThrow(VaultUnavailable);
    }
    const shifted = { account: "acme", table: "telephony_provider", id: "sp1" };
    await expect(vault.open(sealed, shifted)).rejects.toThrow(VaultUnavailable);
  });

  it("seals with the first key and opens with any, so that keys can be rotated", async () => {
    const before = await new Vault(OLD).seal("secret", row);
    const rotated = new Vault(` ${NEW} , ${OLD} `);
    expect(await rotated.open(before, row)).toBe("secret");
    const after = await rotated.seal("secret", row);
    expect(after.startsWith("v1.k2.")).toBe(true);
    expect(await new Vault(NEW).open(after, row)).toBe("secret");
    await expect(new Vault(NEW).open(before, row)).rejects.toThrow(VaultUnavailable);
    await expect(rotated.open(before.replace("v1.k1.", "v1.k2."), row)).rejects.toThrow(VaultUnavailable);
  });

  it("does not open an altered value", async () => {
    const vault = new Vault(OLD);
    const sealed = await vault.seal("secret", row);
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.constantFrom(..."abcXYZ019_-."), async (at, character) => {
        const touched = sealed.slice(0, at) + character + sealed.slice(at + 1);
        // The last character of base64url has unused bits, so another character may stand for the same bytes.
        fc.pre(character !== sealed[at] && at < sealed.length - 1);
        await expect(vault.open(touched, row)).rejects.toThrow(VaultUnavailable);
      }),
    );
    for (const text of ["", "v1", "v1.k1", "v1.k1..", sealed.slice(0, -8)]) {
      await expect(vault.open(text, row)).rejects.toThrow(VaultUnavailable);
    }
  });

  it("the vault refuses malformed keys and is unavailable without one", async () => {
    for (const none of [undefined, "", " , "]) {
      const vault = new Vault(none);
      expect(vault.available).toBe(false);
      await expect(vault.seal("secret", row)).rejects.toThrow(VaultUnavailable);
    }
    for (const bad of ["k1", "k1:", `k1:${key(1).slice(4)}`, `k 1:${key(1)}`, key(1)]) {
      expect(() => new Vault(bad)).toThrow(VaultUnavailable);
    }
  });

  it("refuses two keys with the same id, ignoring case, and names them", () => {
    for (const [first, second] of [
      ["k1", "k1"],
      ["k1", "K1"],
      ["a_b", "A_B"],
    ]) {
      expect(() => new Vault(`${first}:${key(1)},other:${key(3)},${second}:${key(2)}`)).toThrow(VaultUnavailable);
      expect(() => new Vault(`${first}:${key(1)},${second}:${key(2)}`)).toThrow(second);
    }
    expect(() => new Vault(`k_1:${key(1)},kx1:${key(2)}`)).not.toThrow();
  });
});
