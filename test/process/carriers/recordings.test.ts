import { describe, expect, it } from "vitest";
import { CarrierRefusal, CarrierUncertain, RecordingRefused } from "../../../src/phone/carriers/carrier.ts";
import { HOSTILE } from "../../phone/carriers/hostile-addresses.ts";
import { NOW } from "./subject.ts";
import { subjects } from "./subjects.ts";

/** The address of each carrier's API, as in wrangler.toml. */
const BASES: Record<string, string> = {
  twilio: "https://api.twilio.com",
  signalwire: "",
  telnyx: "https://api.telnyx.com",
  vonage: "https://api.nexmo.com",
  plivo: "https://api.plivo.com",
};
const TELNYX_FILE = "https://s3.amazonaws.com/telephony-recorder-prod/a/b.mp3?X-Amz-Signature=s";

interface SentRequest {
  url: string;
  authorized: boolean;
  redirect: RequestInit["redirect"];
}

/** Fetches a recording from this address in a webhook. The carrier's network is a function. */
async function fetched(name: string, address: string, answer: (url: string) => Response, id = "R-1") {
  const subject = subjects.find((one) => one.name === name);
  if (!subject) throw new TypeError(`no carrier ${name}`);
  const requests: SentRequest[] = [];
  const wire = async (address: URL | string, { headers, redirect }: RequestInit) => {
    const url = String(address);
    requests.push({ url, authorized: new Headers(headers).has("authorization"), redirect });
    return answer(url);
  };
  const env = { [subject.variable]: BASES[name] };
  const context = { account: "acme", env, fetch: wire, now: () => NOW };
  const carrier = subject.kind.connect(subject.credentials as never, context as never);
  const outcome = await carrier
    .fetchRecording({ id, url: address, duration_ms: null, content_type: "audio/mpeg" })
    .catch((error: unknown) => error);
  return { requests, outcome };
}
const audio = () => new Response("RIFF");
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });
const hostsOf = (requests: SentRequest[]) => requests.map(({ url }) => new URL(url).host);
/** Simulates Telnyx's answer about a recording's id. */
const telnyxKnows = (mp3: string) => (url: string) =>
  new URL(url).pathname === "/v2/recordings/R-1" ? Response.json({ data: { download_urls: { mp3 } } }) : audio();

describe("a hostile address in a webhook", () => {
  it.each(HOSTILE.map((address) => [JSON.stringify(address), address]))(
    "a hostile address in a webhook is never requested: %s",
    async (_, address = "") => {
      const plivo = await fetched("plivo", address, audio);
      expect(plivo.outcome).toBeInstanceOf(RecordingRefused);
      expect(plivo.requests).toEqual([]);
      // The other carriers are asked by the recording's id.
      for (const name of ["twilio", "signalwire", "vonage"]) {
        const { requests, outcome } = await fetched(name, address, audio);
        expect(outcome).toBeInstanceOf(Response);
        expect(hostsOf(requests)).toEqual([new URL(BASES[name] || "https://example.signalwire.com").host]);
      }
      const telnyx = await fetched("telnyx", address, () => new Response("{}", { status: 404 }));
      expect(telnyx.outcome).toBeInstanceOf(Error);
      if (address !== "") expect(telnyx.outcome).toBeInstanceOf(RecordingRefused);
      expect(hostsOf(telnyx.requests)).toEqual(["api.telnyx.com"]);
    },
  );

  it("a hostile address is refused without showing the secret in it", async () => {
    const { outcome } = await fetched("plivo", "https://me:pa55@evil.example/hidden?token=s3cret", audio);
    expect(String(outcome)).not.toMatch(/me:|pa55|hidden|s3cret/);
  });
});

describe("a redirect on the way to a recording", () => {
  const starts: [name: string, address: string][] = [
    ["twilio", ""],
    ["signalwire", ""],
    ["vonage", "https://api-us-3.vonage.com/v1/files/R-1"],
    ["plivo", "https://media.plivo.com/R-1.mp3"],
    ["telnyx", ""],
  ];
  const first = (url: string) => (url.includes("/v2/recordings/") ? telnyxKnows(TELNYX_FILE)(url) : null);

  it.each(starts)("a redirect of %s is not followed to another host", async (name, address) => {
    const elsewhere = HOSTILE.filter((target) => URL.canParse(target) && new URL(target).host !== "");
    for (const target of [...elsewhere, "https://s3.amazonaws.com/evil/x"]) {
      // Encoded so that a header can contain it.
      const location = new URL(target).href;
      const { requests, outcome } = await fetched(name, address, (url) => first(url) ?? redirect(location));
      expect.soft(outcome, target).toBeInstanceOf(RecordingRefused);
      expect
        .soft(
          requests.filter(({ url }) => url === location),
          target,
        )
        .toEqual([]);
      expect.soft(requests.every((one) => one.redirect === "manual")).toBe(true);
    }
  });

  it("a redirect is followed to the carrier's own hosts, without credentials on another host", async () => {
    const hops: Record<string, string> = {
      "https://media.plivo.com/a.mp3": "/b.mp3",
      "https://media.plivo.com/b.mp3": "https://aps1.media.plivo.com/c.mp3",
    };
    const { requests, outcome } = await fetched("plivo", "https://media.plivo.com/a.mp3", (url) =>
      hops[url] ? redirect(hops[url]) : audio(),
    );
    expect(await (outcome as Response).text()).toBe("RIFF");
    expect(requests.map(({ url, authorized }) => [url, authorized])).toEqual([
      ["https://media.plivo.com/a.mp3", true],
      ["https://media.plivo.com/b.mp3", true],
      ["https://aps1.media.plivo.com/c.mp3", false],
    ]);
  });

  it("at most three redirects are followed", async () => {
    for (const [redirects, kind] of [
      [3, Response],
      [4, RecordingRefused],
    ] as const) {
      let left: number = redirects;
      const { requests, outcome } = await fetched("plivo", "https://media.plivo.com/a.mp3", () =>
        left-- > 0 ? redirect("/again") : audio(),
      );
      expect(outcome).toBeInstanceOf(kind);
      expect(requests).toHaveLength(4);
    }
  });
});

describe("the locations of carriers' recordings", () => {
  it("a Telnyx recording is requested by its id, and its stores get no credentials", async () => {
    const { requests, outcome } = await fetched("telnyx", "https://evil.example/old.mp3", telnyxKnows(TELNYX_FILE));
    expect(await (outcome as Response).text()).toBe("RIFF");
    expect(requests.map(({ url, authorized }) => [url, authorized])).toEqual([
      ["https://api.telnyx.com/v2/recordings/R-1", true],
      [TELNYX_FILE, false],
    ]);
  });
  it("a recording is refused if Telnyx itself names a foreign address", async () => {
    const { requests, outcome } = await fetched("telnyx", "", telnyxKnows("https://evil.example/x.mp3"));
    expect(outcome).toBeInstanceOf(RecordingRefused);
    expect(requests).toHaveLength(1);
  });
  it.each([
    "https://telephony-recorder-prod.s3.amazonaws.com/a.mp3",
    "https://s3.eu-central-1.amazonaws.com/telephony-recorder-prod-fr5/a.wav?X-Amz-Expires=600",
  ])("a recording's address comes from the webhook if Telnyx does not know the id: %s", async (address) => {
    const unknown = (url: string) => (url === address ? audio() : new Response("{}", { status: 404 }));
    const { requests, outcome } = await fetched("telnyx", address, unknown);
    expect(outcome).toBeInstanceOf(Response);
    expect(requests.at(-1)).toMatchObject({ url: address, authorized: false });
  });
  it("a recording is retried later if Telnyx cannot be reached", async () => {
    const { outcome } = await fetched("telnyx", "https://evil.example/x", () => new Response("", { status: 503 }));
    expect(outcome).toBeInstanceOf(Error);
    expect(outcome).not.toBeInstanceOf(RecordingRefused);
  });
  it("a recording may be at a regional host of Vonage", async () => {
    for (const host of ["api-us-3.vonage.com", "api-eu.nexmo.com", "api.nexmo.com"]) {
      const { requests } = await fetched("vonage", `https://${host}/v1/files/F`, audio);
      expect(requests.map(({ url, authorized }) => [new URL(url).host, authorized])).toEqual([[host, true]]);
    }
  });
});

describe("a recording that is to be deleted", () => {
  const deleted = async (name: string, status: number) => {
    const subject = subjects.find((one) => one.name === name);
    if (!subject) throw new TypeError(`no carrier ${name}`);
    const requests: [method: string | undefined, url: string][] = [];
    const wire = async (url: string, { method }: RequestInit) => {
      requests.push([method, url]);
      return new Response(status === 204 ? null : "{}", { status });
    };
    const env = { [subject.variable]: BASES[name] };
    const context = { account: "acme", env, fetch: wire, now: () => NOW };
    const carrier = subject.kind.connect(subject.credentials as never, context as never);
    const outcome = await carrier.deleteRecording?.("R/1").catch((error: unknown) => error);
    return { requests, outcome };
  };
  const places: [name: string, path: RegExp][] = [
    ["twilio", /^https:\/\/api\.twilio\.com\/2010-04-01\/Accounts\/\w+\/Recordings\/R%2F1\.json$/],
    ["signalwire", /^https:\/\/example\.signalwire\.com\/api\/laml\/2010-04-01\/Accounts\/[\w-]+\/Recordings\/R%2F1$/],
    ["telnyx", /^https:\/\/api\.telnyx\.com\/v2\/recordings\/R%2F1$/],
    ["vonage", /^https:\/\/api\.nexmo\.com\/v3\/media\/R%2F1$/],
    ["plivo", /^https:\/\/api\.plivo\.com\/v1\/Account\/\w+\/Recording\/R%2F1\/$/],
  ];

  it.each(places)("a recording is deleted at %s by its id, and may be gone already", async (name, path) => {
    for (const status of [204, 404]) {
      const { requests, outcome } = await deleted(name, status);
      expect(outcome).toBeUndefined();
      expect(requests).toEqual([["DELETE", expect.stringMatching(path)]]);
    }
  });

  it.each(places)("a recording is not reported as deleted if %s refuses or does not answer", async (name) => {
    expect((await deleted(name, 403)).outcome).toBeInstanceOf(CarrierRefusal);
    expect((await deleted(name, 503)).outcome).toBeInstanceOf(CarrierUncertain);
  });
});
