import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeRecordingAddress, type RecordingPlaces } from "../../../src/phone/carriers/recording-address.ts";
import { HOSTILE } from "./hostile-addresses.ts";

const PLIVO: RecordingPlaces = { hosts: ["*.plivo.com", "*.media.plivo.com"], base: "https://api.plivo.com/v1" };
const S3: RecordingPlaces = {
  hosts: ["s3.amazonaws.com/their-bucket*", "their-bucket*.s3.*.amazonaws.com"],
  base: "https://api.telnyx.com/v2",
};
const STAND_IN: RecordingPlaces = { ...PLIVO, base: "http://127.0.0.1:4010/v1" };

const hrefOf = (address: string, places = PLIVO, from?: URL) => {
  const verdict = judgeRecordingAddress(address, places, from);
  return "url" in verdict ? verdict.url.href : undefined;
};

describe("a recording's address at its carrier", () => {
  it.each([
    ["https://media.plivo.com/v1/R.mp3", PLIVO],
    ["https://aps1.media.plivo.com/v1/R.mp3?x=https://evil.example", PLIVO],
    ["https://api.plivo.com/v1/R.mp3", PLIVO],
    ["HTTPS://Media.Plivo.COM:443/R.mp3", PLIVO],
    ["https://s3.amazonaws.com/their-bucket/a/b.wav?X-Amz-Signature=s", S3],
    ["https://s3.amazonaws.com/their-bucket-eu/b.wav", S3],
    ["https://their-bucket-fr5.s3.eu-central-1.amazonaws.com/b.wav", S3],
    ["http://127.0.0.1:4010/file.mp3", STAND_IN],
    ["https://media.plivo.com/R.mp3", STAND_IN],
  ])("a recording's address at its carrier is accepted: %s", (address, places) => {
    expect(hrefOf(address, places)).toBe(new URL(address).href);
  });

  it("may be relative in a redirect", () => {
    const from = new URL("https://media.plivo.com/a/b");
    expect(hrefOf("../c.mp3", PLIVO, from)).toBe("https://media.plivo.com/c.mp3");
    expect(hrefOf("/c.mp3")).toBeUndefined();
    expect(hrefOf("//media.plivo.com/c.mp3")).toBeUndefined();
    expect(hrefOf("//evil.example/c.mp3", PLIVO, from)).toBeUndefined();
    expect(hrefOf("\\\\evil.example/c.mp3", PLIVO, from)).toBeUndefined();
  });
});

describe("a recording's address outside its carrier", () => {
  it.each(HOSTILE.map((address) => [JSON.stringify(address), address]))(
    "a recording's address outside its carrier is refused: %s",
    (_, address = "") => {
      for (const from of [undefined, new URL("https://evil.example/")])
        expect(hrefOf(address, PLIVO, from)).toBeUndefined();
    },
  );

  it.each([
    "https://s3.amazonaws.com/evil/x",
    "https://s3.amazonaws.com/their-bucket/../evil/x",
    "https://s3.amazonaws.com/their-bucket/%2e%2e/evil/x",
    "https://s3.amazonaws.com/their-bucket",
    "https://s3.amazonaws.com/evil/their-bucket/x",
    "https://s3.amazonaws.com.evil.example/their-bucket/x",
    "https://evil.s3.eu-central-1.amazonaws.com/their-bucket/x",
    "https://their-bucket.s3.evil.example/x",
    "https://their-bucket.s3.eu.evil.amazonaws.com/x",
    "https://s3.eu-central-1.amazonaws.com/their-bucket/x",
  ])("a recording's address in a shared store is refused: %s", (address) => {
    expect(hrefOf(address, S3)).toBeUndefined();
  });

  it.each(["http://127.0.0.1/x", "http://127.0.0.1:4011/x", "https://127.0.0.1:4010/x", "http://localhost:4010/x"])(
    "a recording's address is refused beside the configured one: %s",
    (address) => expect(hrefOf(address, STAND_IN)).toBeUndefined(),
  );

  it("the verdict on a recording's address names only its host", () => {
    const verdict = judgeRecordingAddress("https://me:pa55@evil.example/hidden?token=s3cret#part", PLIVO);
    expect(JSON.stringify(verdict)).not.toMatch(/pa55|hidden|s3cret|part|me:/);
    expect(judgeRecordingAddress("https://evil.example/hidden?token=s3cret", PLIVO)).toEqual({
      refused: "evil.example is not its own",
    });
  });

  it("a recording's address outside its carrier is refused whatever surrounds the host's name", () => {
    const pieces = ["media", "plivo.com", "a1", ".", "-", "/", "@", ":", "?", "#", "\\", "%", "[", "]"];
    const part = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((each) => each.join(""));
    const hosts = new Set<string>();
    fc.assert(
      fc.property(
        fc.oneof(
          part,
          part.map((path) => `media.plivo.com/${path}`),
        ),
        part,
        (before, behind) => {
          const href = hrefOf(`https://${before}evil.example${behind}`);
          if (href !== undefined) hosts.add(new URL(href).hostname);
        },
      ),
      { numRuns: 5_000 },
    );
    // Some are accepted, because the other host is then only part of the path, the query or the fragment.
    expect(hosts.size).toBeGreaterThan(0);
    for (const host of hosts) expect(host).toMatch(/^[a-z0-9-]*(\.media)?\.plivo\.com$/);
  });
});
