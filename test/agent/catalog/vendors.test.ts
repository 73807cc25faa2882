import { beforeAll, describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import type { CatalogTool } from "../../../src/agent/catalog/types.ts";
import { KEYS, VENDORS } from "../../../src/dev/vendors/index.ts";
import { faultOf } from "../../../src/dev/vendors/shopify.ts";
import { accountWith, type Installed, runTool, shippedTool } from "./running.ts";

/** A network that reaches only these vendors. */
const network: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const url = new URL(request.url);
  const vendor = url.protocol === "https:" && VENDORS.find(({ host }) => host === url.host);
  if (!vendor) throw new TypeError(`nobody is at ${url.origin}`);
  return vendor.answer({
    method: request.method,
    url,
    headers: request.headers,
    text: new TextDecoder().decode(await request.arrayBuffer()),
  });
};

let ours: Installed;
let withWrongKeys: Installed;
beforeAll(async () => {
  ours = await accountWith(KEYS);
  const wrong = Object.entries(KEYS).map(([integration, fields]) => [
    integration,
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, /key|token|secret/.test(field) ? "other" : value]),
    ),
  ]);
  withWrongKeys = await accountWith(Object.fromEntries(wrong));
});

const run = (tool: CatalogTool, args: unknown, of = ours) => runTool(tool, args, of, network);

type Args = Record<string, unknown>;
interface Case {
  /** All arguments that a model may give. */
  args: Args;
  optional?: string[];
  result: unknown;
  /** Arguments that the vendor refuses, and the part of its answer that the model gets. */
  refused?: [Args, RegExp];
}

const at = "2026-03-09T08:00:00Z";
const booking = {
  event_type_id: 42,
  start: at,
  name: "Ava Jones",
  email: "ava@example.com",
  timezone: "Europe/Vienna",
};
const item = {
  order_id: "gid://shopify/Order/1",
  item_id: "gid://shopify/FulfillmentLineItem/2",
  reason_id: "gid://shopify/ReturnReasonDefinition/3",
};

const CASES: Record<string, Case> = {
  check_availability: {
    args: { event_type_id: 42, first_day: "2026-03-09", last_day: "2026-03-10", timezone: "Europe/Vienna" },
    result: { "2026-03-09": [{ start: "2026-03-09T09:00:00.000+01:00" }] },
    refused: [{ timezone: "Mars/Base" }, /400.*as published/],
  },
  book_appointment: {
    args: Object.assign({ phone_number: "+436601234567" }, booking),
    optional: ["phone_number"],
    result: expect.objectContaining({ uid: "bk_1", status: "accepted", start: at }),
    refused: [{ start: "2026-03-09T23:00:00Z" }, /400.*already has booking at this time/],
  },
  find_appointments: {
    args: { email: "ava@example.com" },
    result: [expect.objectContaining({ uid: "bk_1", title: "Consultation" })],
  },
  reschedule_appointment: {
    args: { booking_uid: "bk_1", start: at, reason: "Ill" },
    optional: ["reason"],
    result: expect.objectContaining({ uid: "bk_2", rescheduledFromUid: "bk_1", start: at }),
    refused: [{ booking_uid: "bk_9" }, /404.*bk_9 was not found/],
  },
  cancel_appointment: {
    args: { booking_uid: "bk_1", reason: "Ill" },
    result: "cancelled",
    refused: [{ reason: " " }, /400.*reason is required/],
  },
  schedule_callback: {
    args: { name: "Ava Jones", phone_number: "+436601234567", at, reason: "About invoice 7" },
    result: "7001",
  },
  find_customer: {
    args: { query: "+436601234567" },
    result: [expect.objectContaining({ id: "512", properties: expect.objectContaining({ firstname: "Ava" }) })],
  },
  save_lead: {
    args: {
      first_name: "Ava",
      last_name: "Jones",
      email: "ava@example.com",
      phone_number: "+436601234567",
      status: "NEW",
      notes: "Wants “gold”\nby May",
    },
    optional: ["last_name", "email"],
    result: "513",
    refused: [{ email: "known@example.com" }, /409.*already exists. Existing ID: 512/],
  },
  create_ticket: {
    args: {
      subject: "No light",
      description: 'Since May: "dark"',
      priority: "high",
      caller_name: "Ava Jones",
      reach_at: "+436601234567",
    },
    result: 35436,
  },
  look_up_order: {
    args: { order_number: "1042" },
    result: [expect.objectContaining({ id: item.order_id, name: "#1042" })],
  },
  list_returnable_items: {
    args: { order_id: item.order_id },
    result: [
      {
        returnableFulfillmentLineItems: {
          nodes: [{ quantity: 1, fulfillmentLineItem: { id: item.item_id, lineItem: { title: "Chair" } } }],
        },
      },
    ],
  },
  start_return: {
    args: Object.assign({ quantity: 1, note: "A leg is off" }, item),
    optional: ["note"],
    result: { return: { name: "#1042-R1", status: "REQUESTED" }, userErrors: [] },
  },
  create_payment_link: {
    args: { amount_cents: 1990, currency: "eur", description: "Invoice 2031 & fee" },
    result: "https://buy.stripe.com/test_1",
    refused: [{ currency: "xxx" }, /400.*Invalid currency/],
  },
  send_sms: {
    args: { to: "+436601234567", body: "See you at 9 & bring + sign: https://x.example/a?b=c" },
    result: "accepted",
    refused: [{ to: "+15005550001" }, /400.*21211/],
  },
  send_email: {
    args: { to: "ava@example.com", subject: "Summary", body: "Hello,\nas discussed." },
    result: null,
  },
};

const without = (args: Args, names: string[] = []): Args =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
const changed = (tool: CatalogTool, config: Record<string, unknown>): CatalogTool =>
  Object.assign({}, tool, { implementation_config: Object.assign({}, tool.implementation_config, config) });

describe.each(Object.entries(CASES))("%s", (name, { args, optional = [], result, refused }) => {
  const tool = shippedTool(name);

  it("sends the request that its vendor documents, and returns the fields that a model needs", async () => {
    expect(await run(tool, args)).toMatchObject({ ok: true, result });
    expect(await run(tool, without(args, optional))).toMatchObject({ ok: true, result });
    const { properties, required } = tool.schema as { properties: object; required: string[] };
    expect(Object.keys(properties).sort()).toEqual(Object.keys(args).sort());
    expect([...required].sort()).toEqual(Object.keys(without(args, optional)).sort());
  });

  it("returns the vendor's reason for refusing, and reports a wrong key", async () => {
    if (refused) {
      const [change, why] = refused;
      expect(await run(tool, Object.assign({}, args, change))).toMatchObject({
        ok: false,
        result: expect.stringMatching(why),
      });
    }
    expect(await run(tool, args, withWrongKeys)).toMatchObject({
      ok: false,
      result: expect.stringContaining("401"),
    });
  });

  it("the stand-in refuses any other method, path, header, authentication or field", async () => {
    const { method, url, headers = {}, auth, query, body, form } = tool.implementation_config as Record<string, Args>;
    const others = [
      { method: String(method) === "GET" ? "POST" : "PUT" },
      { url: `${url}x` },
      { auth: undefined },
      { auth: Object.assign({}, auth, { token: "t", password: "p", value: "v" }) },
      { headers: Object.assign({ "x-other": "1" }, headers) },
      ...Object.keys(headers).map((header) => ({ headers: without(headers, [header]) })),
      ...Object.keys(headers).map((header) => ({ headers: Object.assign({}, headers, { [header]: "2020-01-01" }) })),
      ...(query ? [{ query: Object.assign({ other: "1" }, query) }] : [{ query: { other: "1" } }]),
      ...(body ? [{ body: Object.assign({ other: "1" }, body) }, { body: undefined, form: { other: "1" } }] : []),
      ...(form ? [{ form: Object.assign({ other: "1" }, form) }, { form: undefined, body: form }] : []),
    ];
    for (const other of others) {
      expect(await run(changed(tool, other), args), JSON.stringify(other)).toMatchObject({ ok: false });
    }
  });
});

describe("a shipped http tool", () => {
  it("has a test against its vendor's documentation", () => {
    const shipped = CATALOG.tools.filter(({ implementation_type }) => implementation_type === "http");
    expect(shipped.map(({ name }) => name).sort()).toEqual(Object.keys(CASES).sort());
    for (const { name, implementation_config: config } of shipped) {
      expect(config.timeout_ms, name).toBeLessThanOrEqual(10_000);
      expect(config.response, name).toMatchObject({ max_chars: expect.any(Number) });
    }
  });

  it.each([
    ["book_appointment", { start: "2026-03-09T09:00:00+01:00" }, /start must match/],
    ["book_appointment", { event_type_id: "42" }, /event_type_id/],
    ["find_appointments", { email: "ava at example" }, /email must be/],
    ["schedule_callback", { at: "tomorrow" }, /at must/],
    ["create_ticket", { priority: "utmost" }, /priority must be one of/],
    ["look_up_order", { order_number: '1" OR name:"2' }, /order_number must match/],
    ["start_return", { order_id: "1042" }, /order_id must match/],
    ["create_payment_link", { amount_cents: 19.9 }, /amount_cents/],
    ["send_sms", { to: "0660 1234567" }, /to must match/],
  ])("no request is sent if the tool %s is given %o", async (name, change, why) => {
    const ran = await run(shippedTool(name), Object.assign({}, CASES[name]?.args, change));
    expect(ran).toMatchObject({ ok: false, request: null, result: expect.stringMatching(why) });
  });

  it("distinguishes an order that does not exist from one that the shop hides", async () => {
    const tool = shippedTool("look_up_order");
    expect(await run(tool, { order_number: "7" })).toMatchObject({ ok: true, result: [] });
    expect((await run(tool, { order_number: "9" })).result).not.toEqual([]);
  });

  it("returns why a shop accepts no return", async () => {
    const { result } = await run(shippedTool("start_return"), Object.assign({ quantity: 5 }, item));
    expect(result).toEqual({
      return: null,
      userErrors: [{ field: ["input"], message: "Return line item has an invalid quantity." }],
    });
  });

  it("requests only fields in Shopify's schema", () => {
    expect(faultOf("query A($a: Int) { orders(first: 1) { nodes { id } } }")).toBeNull();
    expect(faultOf("query A($a: Int) { orders(first: 1) { nodes { label } } }")).toMatch(/label/);
    expect(faultOf("query A($a: Int) { orders(first: 1) }")).toMatch(/selection/);
    expect(faultOf("query A($a: Int) { orders(first: 1) { nodes { id { x } } } }")).toMatch(/no fields/);
    expect(faultOf("{ orders { nodes { id } } }")).toMatch(/syntax/);
  });
});
