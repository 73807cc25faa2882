import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Entrance } from "../../../src/account/gate/entrance.ts";
import { LookUps } from "../../../src/kernel/db/look-ups.ts";
import type { Credential } from "../../../src/kernel/http/credential.ts";

const NOW = Date.parse("2026-05-01T12:00:00.000Z");
const key: Credential = { key: "hash" };
const session: Credential = { session: { id: "s", user: "ada", embedded: true, issuedAt: NOW } };

const entrance = (keyLimit: number | null) =>
  new Entrance({
    account: "acme",
    lookUps: new LookUps(env.DB),
    sessions: () => null,
    secondFactorRequired: false,
    keyLimit,
  });

/** Returns how many of `n` requests are admitted. */
function admitted(door: Entrance, credential: Credential, subjects: string[], n: number, now = NOW): number {
  let in_ = 0;
  for (let i = 0; i < n; i++) if (!door.count(credential, subjects[i % subjects.length] ?? "", now)) in_++;
  return in_;
}

describe("requests a minute", () => {
  it("requests a minute are counted for each key until the minute is over", () => {
    const door = entrance(5);
    expect(admitted(door, key, ["one"], 7)).toBe(5);
    expect(admitted(door, key, ["two"], 7)).toBe(5);
    expect(door.count(key, "one", NOW + 59_999)).toEqual({ outcome: "rate_limited", by: "key", retryAfterMs: 1 });
    expect(door.count(key, "one", NOW + 60_000)).toBeNull();
  });

  it("a console user may send 1,200 requests a minute, whatever the token", () => {
    expect(admitted(entrance(6_000), session, ["ada"], 1_300)).toBe(1_200);
  });

  it("an account's keys and users together may send ten times a key's requests", () => {
    const door = entrance(5);
    const many = Array.from({ length: 30 }, (_, i) => `key ${i}`);
    expect(admitted(door, key, many, 120)).toBe(50);
    expect(door.count(session, "ada", NOW)).toMatchObject({ outcome: "rate_limited", by: "account" });
  });

  it("requests are not counted if rate limits are off", () => {
    expect(admitted(entrance(null), key, ["one"], 10_000)).toBe(10_000);
  });
});
