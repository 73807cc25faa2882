import { describe, expect, it } from "vitest";
import { type Carrier, CarrierRefusal, CarrierUncertain } from "../../../src/phone/carriers/carrier.ts";
import {
  type CarrierNumbers,
  type InboundTarget,
  MAX_LIST_MS,
  MAX_NUMBERS,
  MAX_PAGES,
} from "../../../src/phone/carriers/numbers/numbers.ts";
import { numberCarriers } from "../../support/number-carriers/index.ts";
import type { NumberCarrier, Sent } from "../../support/number-carriers/stand-in.ts";
import { telnyxAccount } from "../../support/number-carriers/telnyx.ts";

const CREDENTIALS = "019a5c3e-1b2c-7f00-8e11-6d0d7a9c4b10";
const NUMBER = "+12025550100";
const at = (name: string): InboundTarget => ({
  address: `https://switchboard.example/api/telephony/inbound/${name}/acme?credentials=${CREDENTIALS}`,
  credentials_id: CREDENTIALS,
});

function connect(carrier: NumberCarrier, changes: { now?: () => number; credentials?: object } = {}): Carrier {
  const { now = () => 0, credentials = carrier.credentials } = changes;
  const env = { [carrier.variable]: carrier.base } as never;
  const parsed = carrier.kind.credentials.parse(credentials) as never;
  return carrier.kind.connect(parsed, { account: "acme", env, fetch: carrier.fetch, now });
}
function numbersOf(carrier: NumberCarrier, changes: Parameters<typeof connect>[1] = {}): CarrierNumbers {
  return connect(carrier, changes).numbers ?? expect.fail("no numbers");
}
const many = (n: number) => Array.from({ length: n }, (_, i) => ({ e164: `+1303${String(5_550_000 + i)}` }));
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("nothing was refused"),
    (error: unknown) => error as Error,
  );
const writes = ({ requests }: NumberCarrier) => requests.filter(({ method }) => method !== "GET");

describe.each(Object.entries(numberCarriers))("the numbers of %s", (_name, make) => {
  it("numbers are listed with what they can do", async () => {
    const carrier = make();
    carrier.own({ e164: NUMBER, mms: true }, { e164: "+442079460000", sms: false });
    const { numbers, truncated } = await numbersOf(carrier).list();
    expect(numbers).toEqual([
      { e164: NUMBER, capabilities: ["voice", "sms", "mms"] },
      { e164: "+442079460000", capabilities: ["voice"] },
    ]);
    expect(truncated).toBe(false);
  });

  it("an account without numbers has an empty list", async () => {
    expect(await numbersOf(make()).list()).toEqual({ numbers: [], truncated: false });
  });

  it("numbers are listed to the last page, each once, with one request per page", async () => {
    const carrier = make();
    const all = many(carrier.page_rows * 2 + 1);
    carrier.own(...all);
    const { numbers, truncated } = await numbersOf(carrier).list();
    expect(numbers.map(({ e164 }) => e164)).toEqual(all.map(({ e164 }) => e164));
    expect(truncated).toBe(false);
    const lists = carrier.requests.filter(({ url }) => !url.pathname.endsWith("/messaging"));
    expect(lists).toHaveLength(3);
  });

  it("numbers are listed up to a bound and marked as truncated", async () => {
    const carrier = make();
    carrier.own(...many(MAX_NUMBERS + 1));
    const { numbers, truncated } = await numbersOf(carrier).list();
    expect([numbers.length, truncated]).toEqual([MAX_NUMBERS, true]);
  });

  it("exactly as many numbers as the bound are not marked as truncated", async () => {
    const carrier = make();
    carrier.own(...many(MAX_NUMBERS));
    const { numbers, truncated } = await numbersOf(carrier).list();
    expect([numbers.length, truncated]).toEqual([MAX_NUMBERS, false]);
  });

  it("the number of requests for numbers is bounded even if the carrier names further pages", async () => {
    const carrier = make();
    carrier.own(...many(3));
    const wire = carrier.fetch;
    // Returns the first page again and again, and claims each time that there is another.
    carrier.intercept = async (sent) => {
      carrier.intercept = null;
      const first = (await (await wire(firstPage(sent))).json()) as object;
      carrier.intercept = () => Response.json(JSON.parse(JSON.stringify(endless(first))));
      carrier.requests.length = 1;
      return carrier.intercept(sent) as Response;
    };
    const { numbers, truncated } = await numbersOf(carrier).list();
    expect([numbers.length, truncated]).toEqual([3, true]);
    const lists = carrier.requests.filter(({ url }) => !url.pathname.endsWith("/messaging"));
    expect(lists.length).toBe(MAX_PAGES);
  });

  it("an incomplete list of numbers is returned if the carrier takes too long", async () => {
    const carrier = make();
    carrier.own(...many(carrier.page_rows * 2));
    let time = 0;
    const { numbers, truncated } = await numbersOf(carrier, { now: () => (time += MAX_LIST_MS / 2) }).list();
    expect([numbers.length, truncated]).toEqual([carrier.page_rows, true]);
  });

  it("numbers are requested in the carrier's terms, and a refusal reports no secret", async () => {
    const carrier = make();
    const wrong = Object.fromEntries(
      Object.entries(carrier.credentials).map(([name, value]) => [
        name,
        /^(auth_token|api_key|api_token|api_secret)$/.test(name) ? `${value}-x` : value,
      ]),
    );
    const numbers = numbersOf(carrier, { credentials: wrong });
    const target = at(carrier.name);
    const ways = [() => numbers.list(), () => numbers.look(NUMBER, target), () => numbers.setInbound(NUMBER, target)];
    for (const attempt of ways) {
      const error = await caught(attempt());
      expect(error).toBeInstanceOf(CarrierRefusal);
      expect((error as CarrierRefusal).reason).toBe("auth");
      expect(error.message).toMatch(/refused the request \(401\)/);
      for (const secret of Object.values(wrong)) expect(error.message).not.toContain(secret);
    }
    expect(writes(carrier)).toEqual([]);
  });

  it.each([
    ["a failure", () => new Response("oops", { status: 503 })],
    ["a page of HTML", () => new Response("<html>ok</html>")],
    ["something else", () => Response.json([1])],
    ["nothing", () => Promise.reject(new TypeError("closed"))],
  ])("an answer with %s is not taken for an empty list", async (_, answer) => {
    const carrier = make();
    carrier.own({ e164: NUMBER });
    carrier.intercept = answer;
    const error = await caught(numbersOf(carrier).list());
    expect(error).toBeInstanceOf(CarrierRefusal);
    expect((error as CarrierRefusal).reason).toBe("outage");
  });
});

/** Returns the same request for the first page. */
const firstPage = ({ url, method, headers }: Sent) => new Request(url, { method, headers });
/** Returns an answer that names a next page in every carrier's format. */
function endless(answer: object): object {
  const next = "/x?limit=20&offset=20&PageToken=PA1&page_token=PA1";
  const withMeta = answer as { meta?: object };
  return Object.assign({}, answer, {
    next_page_uri: next,
    links: { next },
    count: 1e9,
    meta: Object.assign({}, withMeta.meta, { next, total_pages: 1e9 }),
  });
}

describe.each(Object.entries(numberCarriers))("the inbound address at %s", (_name, make) => {
  it("the inbound address is null for a number that the account does not have", async () => {
    const carrier = make();
    carrier.own({ e164: `${NUMBER}1` }, { e164: "+912025550100" });
    const numbers = numbersOf(carrier);
    expect(await numbers.look(NUMBER, at(carrier.name))).toBeNull();
    expect(writes(carrier)).toEqual([]);
  });

  it("the inbound address is found for either of two numbers", async () => {
    const carrier = make();
    carrier.own({ e164: `${NUMBER}1` }, { e164: NUMBER });
    carrier.lead(NUMBER, at(carrier.name).address);
    const setup = await numbersOf(carrier).look(NUMBER, at(carrier.name));
    expect(setup).toMatchObject({ in_service: { ok: true }, inbound: { ok: true } });
    expect(setup?.inbound.detail).toMatch(/^Incoming calls are sent to this service.*\.$/);
    expect(writes(carrier)).toEqual([]);
  });

  const astray = make().astray.map(([what], index) => [what, index] as const);
  it.each(astray)(
    "an inbound address elsewhere, with %s, is reported, then set without other changes",
    async (_, index) => {
      const carrier = make();
      const [, arrange, expected] = carrier.astray[index] ?? expect.fail("no such way");
      carrier.own({ e164: NUMBER }, { e164: "+12025550101" });
      arrange(NUMBER, at(carrier.name).address);
      const numbers = numbersOf(carrier);
      const before = await numbers.look(NUMBER, at(carrier.name));
      expect(before?.inbound.ok).toBe(false);
      expect(before?.inbound.detail).toMatch(expected);
      expect(before?.inbound.detail).not.toMatch(/s3cret|u:p/);
      expect(before?.inbound.detail).toMatch(/\.$/);
      expect(writes(carrier)).toEqual([]);

      const untouched = JSON.parse(JSON.stringify(carrier.untouched(NUMBER)));
      expect(await numbers.setInbound(NUMBER, at(carrier.name))).toMatch(/(set|assigned|linked|made).*\.$/);
      expect((await numbers.look(NUMBER, at(carrier.name)))?.inbound.ok).toBe(true);
      expect(carrier.untouched(NUMBER)).toMatchObject(untouched);
      expect(writes(carrier).length).toBeLessThanOrEqual(2);
    },
  );

  it("an inbound address that is already set is not set again", async () => {
    const carrier = make();
    carrier.own({ e164: NUMBER });
    const numbers = numbersOf(carrier);
    await numbers.setInbound(NUMBER, at(carrier.name));
    const first = JSON.parse(JSON.stringify(carrier.untouched(NUMBER)));
    await numbers.setInbound(NUMBER, at(carrier.name));
    expect(JSON.parse(JSON.stringify(carrier.untouched(NUMBER)))).toEqual(first);
    expect((await numbers.look(NUMBER, at(carrier.name)))?.inbound.ok).toBe(true);
  });

  it("the inbound address moves with the service to another address", async () => {
    const carrier = make();
    carrier.own({ e164: NUMBER });
    const numbers = numbersOf(carrier);
    const old = { ...at(carrier.name), address: at(carrier.name).address.replace("switchboard", "tunnel") };
    await numbers.setInbound(NUMBER, old);
    expect((await numbers.look(NUMBER, at(carrier.name)))?.inbound.ok).toBe(false);
    await numbers.setInbound(NUMBER, at(carrier.name));
    expect((await numbers.look(NUMBER, at(carrier.name)))?.inbound.ok).toBe(true);
  });

  it("setting an inbound address is uncertain if the carrier does not answer", async () => {
    const carrier = make();
    carrier.own({ e164: NUMBER });
    carrier.intercept = ({ method }) => (method === "GET" ? null : new Response("", { status: 502 }));
    expect(await caught(numbersOf(carrier).setInbound(NUMBER, at(carrier.name)))).toBeInstanceOf(CarrierUncertain);
  });

  it("a refused inbound address is reported in words", async () => {
    const carrier = make();
    carrier.own({ e164: NUMBER });
    carrier.intercept = ({ method }) => (method === "GET" ? null : Response.json({ error: "no" }, { status: 403 }));
    expect(await caught(numbersOf(carrier).setInbound(NUMBER, at(carrier.name)))).toBeInstanceOf(CarrierRefusal);
  });

  it("an inbound address is not set for a number that the account does not have", async () => {
    const carrier = make();
    expect(await caught(numbersOf(carrier).setInbound(NUMBER, at(carrier.name)))).toBeInstanceOf(CarrierRefusal);
  });
});

describe("the numbers at a single carrier", () => {
  it("Telnyx: settings that its API cannot change are reported, and nothing is undone", async () => {
    for (const index of telnyxAccount().beyond.keys()) {
      const carrier = telnyxAccount();
      const [, arrange, expected] = carrier.beyond[index] ?? expect.fail("no such way");
      const at_ = at("telnyx");
      carrier.own({ e164: NUMBER });
      arrange(NUMBER, at_.address);
      const numbers = numbersOf(carrier);
      expect((await numbers.look(NUMBER, at_))?.inbound.detail).toMatch(expected);
      expect(await numbers.setInbound(NUMBER, at_)).toMatch(/had nothing to set/);
      expect(writes(carrier)).toEqual([]);
    }
  });

  it("Telnyx: a number that is not in service counts as owned, and a deleted one does not", async () => {
    const carrier = telnyxAccount();
    carrier.own({ e164: NUMBER }, { e164: "+12025550101" });
    carrier.status(NUMBER, "port-pending");
    carrier.status("+12025550101", "ported-out");
    const numbers = numbersOf(carrier);
    expect((await numbers.look(NUMBER, at("telnyx")))?.in_service).toEqual({
      ok: false,
      detail: "Telnyx has the number, but it is not in service yet (port-pending).",
    });
    expect(await numbers.look("+12025550101", at("telnyx"))).toBeNull();
    expect((await numbers.list()).numbers.map(({ e164 }) => e164)).toEqual([NUMBER]);
  });

  it("Telnyx: numbers are listed even if the list of messaging cannot be read", async () => {
    const carrier = telnyxAccount();
    carrier.own({ e164: NUMBER });
    carrier.intercept = ({ url }) => (url.pathname.endsWith("/messaging") ? new Response("", { status: 403 }) : null);
    expect((await numbersOf(carrier).list()).numbers).toEqual([{ e164: NUMBER, capabilities: ["voice"] }]);
  });

  it("Vonage: numbers are not requested without the account's key, and the error names the missing key", async () => {
    const carrier = numberCarriers.vonage();
    const { api_key: _, api_secret, ...rest } = carrier.credentials;
    const numbers = numbersOf(carrier, { credentials: rest });
    for (const asking of [numbers.list(), numbers.look(NUMBER, at("vonage")), numbers.setInbound(NUMBER, at("vonage"))])
      expect(await caught(asking)).toMatchObject({
        reason: "auth",
        message: expect.stringContaining("api_key and api_secret"),
      });
    expect(carrier.requests).toEqual([]);
    expect(carrier.kind.credentials.safeParse({ ...rest, api_secret }).error?.issues[0]?.message).toMatch(
      /must be sent together/,
    );
  });

  it("Vonage: a stand-in serves the numbers at the same address as the rest", async () => {
    const carrier = numberCarriers.vonage();
    carrier.intercept = () => Response.json({});
    const env = { VONAGE_API_URL: "http://127.0.0.1:9000" } as never;
    const parsed = carrier.kind.credentials.parse(carrier.credentials) as never;
    await carrier.kind.connect(parsed, { account: "a", env, fetch: carrier.fetch, now: () => 0 }).numbers?.list();
    expect(carrier.requests.map(({ url }) => url.origin)).toEqual(["http://127.0.0.1:9000"]);
  });

  it("Twilio: a status callback to another address is kept, and an unset one is set", async () => {
    for (const [set, left] of [
      ["", at("twilio").address],
      ["https://billing.example/", "https://billing.example/"],
    ] as const) {
      const carrier = numberCarriers.twilio();
      carrier.own({ e164: NUMBER });
      const { sid } = await twilioNumber(carrier);
      if (set !== "") await requestTwilio(carrier, `/IncomingPhoneNumbers/${sid}.json`, { StatusCallback: set });
      const result = await numbersOf(carrier).setInbound(NUMBER, at("twilio"));
      expect(result.includes("status callback")).toBe(set !== "");
      expect((await twilioNumber(carrier)).status_callback).toBe(left);
    }
  });

  it("Plivo: the application is created once, and changed only if it is ours", async () => {
    const carrier = numberCarriers.plivo() as ReturnType<(typeof numberCarriers)["plivo"]> & { apps: object[] };
    carrier.own(...many(3));
    const before = carrier.apps.length;
    for (const { e164 } of many(3)) await numbersOf(carrier).setInbound(e164, at("plivo"));
    expect(carrier.apps.length).toBe(before + 1);
  });
});

interface TwilioNumber {
  sid: string;
  status_callback: string | null;
}

/** Returns NUMBER as the owner of a Twilio account sees it. */
async function twilioNumber(carrier: NumberCarrier): Promise<TwilioNumber> {
  const query = new URLSearchParams({ PhoneNumber: NUMBER });
  const response = await requestTwilio(carrier, `/IncomingPhoneNumbers.json?${query}`);
  const { incoming_phone_numbers: [number] = [] } = (await response.json()) as {
    incoming_phone_numbers?: TwilioNumber[];
  };
  return number ?? expect.fail("no such number");
}

/** Returns a request of the owner of a Twilio account. With a form, it changes something. */
function requestTwilio(carrier: NumberCarrier, path: string, form?: Record<string, string>): Promise<Response> {
  const { account_sid = "", auth_token = "" } = carrier.credentials;
  return carrier.fetch(`${carrier.base}/2010-04-01/Accounts/${account_sid}${path}`, {
    method: form ? "POST" : "GET",
    headers: {
      authorization: `Basic ${btoa(`${account_sid}:${auth_token}`)}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: form ? new URLSearchParams(form).toString() : null,
  });
}
