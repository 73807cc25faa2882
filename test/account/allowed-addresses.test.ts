import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalNetwork, isAllowedFrom } from "../../src/account/allowed-addresses.ts";

describe("networks", () => {
  it("have one canonical notation", () => {
    const written: Record<string, string | null> = {
      "203.0.113.7": "203.0.113.7/32",
      " 203.0.113.7/24 ": "203.0.113.0/24",
      "0.0.0.0/0": "0.0.0.0/0",
      "2001:DB8::1": "2001:db8::1/128",
      "2001:db8:0:0:1:0:0:1/64": "2001:db8::/64",
      "::/0": "::/0",
      "1::2:0:0:3": "1:0:0:0:0:2::3/128",
      "::ffff:203.0.113.7": "203.0.113.7/32",
      "::ffff:203.0.113.7/120": "203.0.113.0/24",
      "203.0.113.7/33": null,
      "::1/129": null,
      "203.0.113": null,
      "203.0.113.256": null,
      "203.0.113.07": null,
      "1:2:3:4:5:6:7": null,
      "1::2::3": null,
      "example.com": null,
      "": null,
      "203.0.113.0/": null,
    };
    // Only the first of the longest runs of zeros is omitted.
    written["1::2:0:0:3"] = "1::2:0:0:3/128";
    for (const [text, canonical] of Object.entries(written))
      expect([text, canonicalNetwork(text)]).toEqual([text, canonical]);
  });

  it("contain exactly the addresses with their leading bits", () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(address, address, fc.nat(128), (network, other, length) => {
        const bits = isIP(network) === 4 ? 32 : 128;
        const prefix = Math.min(length, bits);
        const text = `${network}/${prefix}`;
        const canonical = canonicalNetwork(text);
        expect(canonical).not.toBeNull();
        expect(canonicalNetwork(canonical ?? "")).toBe(canonical);
        if (isMapped(network) || isMapped(other)) return;
        expect(isAllowedFrom([canonical ?? ""], network)).toBe(true);
        const same = bitsOf(other).length === bits && bitsOf(other).startsWith(bitsOf(network).slice(0, prefix));
        expect(isAllowedFrom([canonical ?? ""], other)).toBe(same);
      }),
    );
  });

  it("admit every address if none are named, and no request from an unknown address", () => {
    expect(isAllowedFrom(null, "unknown")).toBe(true);
    expect(isAllowedFrom(["0.0.0.0/0", "::/0"], "unknown")).toBe(false);
  });
});

const isMapped = (address: string) => /^[0:]*:ffff:/i.test(address) || address.includes(".") === address.includes(":");

/** Returns the address as a text of 0 and 1. */
function bitsOf(address: string): string {
  const bits = (part: number, size: number) => part.toString(2).padStart(size, "0");
  if (isIP(address) === 4)
    return address
      .split(".")
      .map((part) => bits(Number(part), 8))
      .join("");
  const [head = "", tail] = address.split("::");
  const groups = (side: string) => (side === "" ? [] : side.split(":")).map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after].map((group) => bits(group, 16)).join("");
}
