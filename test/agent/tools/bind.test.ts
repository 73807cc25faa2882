import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type BindingParty, bindArguments } from "../../../src/agent/tools/run/bind.ts";
import { type Client, tenant } from "../../support/client.ts";
import { run, vendor } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

interface Tool {
  name: string;
  effect: string;
  max_runs: number | null;
  bind: Record<string, unknown>;
}

const ORDERS = {
  implementation_config: { url: "https://api.vendor.example/customers/{customer_id}/orders", query: { n: "{n}" } },
  schema: {
    type: "object",
    properties: { customer_id: { type: "integer" }, n: { type: "string" } },
    required: ["customer_id"],
    additionalProperties: false,
  },
};

const create = (client: Client, body: object) =>
  client.post<Tool>("/api/v1/tools", Object.assign({ name: `t_${crypto.randomUUID().slice(0, 8)}` }, body));

describe("the effect of a tool and its number of runs", () => {
  it("default to read for GET, and to write with three runs for other methods", async () => {
    const { server } = await tenant();
    const http = (method?: string) => ({ implementation_config: { url: "https://api.vendor.example/", method } });
    for (const [body, effect, max_runs] of [
      [{}, "read", null],
      [http(), "read", null],
      [http("get"), "read", null],
      [http("POST"), "write", 3],
      [http("DELETE"), "write", 3],
      [{ implementation_type: "python" }, "write", 3],
      [Object.assign({ effect: "read" }, http("POST")), "read", null],
      [Object.assign({ effect: "write", max_runs: 1 }, http()), "write", 1],
      [Object.assign({ max_runs: 7 }, http()), "read", 7],
    ] as const) {
      const created = await create(server, body);
      expect([created.status, created.body], JSON.stringify(body)).toMatchObject([201, { effect, max_runs, bind: {} }]);
      expect((await server.get<Tool>(`/api/v1/tools/${created.body.name}`)).body).toMatchObject({ effect, max_runs });
    }
  });

  it("change with the method by default, and return to the default by null", async () => {
    const { server } = await tenant();
    const { name } = (await create(server, {})).body;
    const put = async (body: object) => (await server.put<Tool>(`/api/v1/tools/${name}`, body)).body;
    const config = { url: "https://api.vendor.example/", method: "POST" };
    expect(await put({ implementation_config: config })).toMatchObject({ effect: "write", max_runs: 3 });
    expect(await put({ effect: "read", max_runs: 2 })).toMatchObject({ effect: "read", max_runs: 2 });
    expect(await put({ description: "still" })).toMatchObject({ effect: "read", max_runs: 2 });
    expect(await put({ effect: null, max_runs: null })).toMatchObject({ effect: "write", max_runs: 3 });
    const { tools } = (await server.get<{ tools: Tool[] }>("/api/v1/tools?search=t_")).body;
    expect(tools.find((tool) => tool.name === name)).toMatchObject({ effect: "write", max_runs: 3, bind: {} });
  });

  it("every shipped tool states its effect, so that searches by POST count as reads", async () => {
    const { server } = await tenant();
    const effect = async (name: string) => (await server.get<Tool>(`/api/v1/tools/${name}`)).body.effect;
    expect([await effect("look_up_order"), await effect("find_customer")]).toEqual(["read", "read"]);
    expect([await effect("book_appointment"), await effect("send_sms")]).toEqual(["write", "write"]);
  });

  it.each([{ effect: "delete" }, { max_runs: 0 }, { max_runs: 1.5 }, { max_runs: 1001 }])(
    "a tool's effect or number of runs is refused as %j",
    async (body) => {
      const { server } = await tenant();
      const { status, body: answer } = await create(server, body);
      expect([status, String(answer)]).toEqual([400, expect.stringContaining(Object.keys(body)[0] ?? "")]);
    },
  );
});

describe("a bound argument", () => {
  it("the service fills in a bound argument and refuses it in a request", async () => {
    const { server } = await tenant();
    const bind = { customer_id: "contact.Customer ID" };
    const { body } = await create(server, Object.assign({ bind }, ORDERS));
    expect(body.bind).toEqual(bind);
    const requests = vendor(() => Response.json({}));
    const ran = await run(server, body.name, { n: "1" }, { bound: { customer_id: "42" } });
    expect(ran.body).toMatchObject({
      ok: true,
      request: { url: "https://api.vendor.example/customers/42/orders?n=1" },
    });
    requests.mockClear();
    for (const [args, bound, why] of [
      [{ customer_id: 42 }, { customer_id: "42" }, "customer_id must not be sent: Switchboard fills it in"],
      [{ customer_id: 43 }, {}, "customer_id must not be sent: Switchboard fills it in"],
      [{ customer_id: null }, { customer_id: "42" }, "customer_id must not be sent: Switchboard fills it in"],
      [{}, {}, "customer_id is bound but has no value: send it in bound"],
      [{}, { customer_id: "x" }, "customer_id must be a whole number"],
    ] as const) {
      const refused = await run(server, body.name, args, { bound });
      expect([refused.status, refused.code, refused.body]).toEqual([400, "invalid_arguments", why]);
    }
    expect(requests).not.toHaveBeenCalled();
  });

  it.each<[string, object, string]>([
    ["another source", { customer_id: "visitor.email" }, "bind.customer_id"],
    ["no column", { customer_id: "contact." }, "bind.customer_id"],
    ["an invalid source", { customer_id: 7 }, "bind.customer_id"],
    ["an unknown field", { customer_id: { from: "visitor.id", unverified: true, more: 1 } }, "bind.customer_id"],
    ["a name that is not in the schema", { other: "visitor.id" }, "bind.other is not one of the schema's"],
  ])("a bound argument is refused with %s, which the error names", async (_, bind, why) => {
    const { server } = await tenant();
    const answer = await create(server, Object.assign({ bind }, ORDERS));
    expect([answer.status, String(answer.body)]).toEqual([400, expect.stringContaining(why)]);
  });

  it("a bound argument is refused if the schema no longer has its property", async () => {
    const { server } = await tenant();
    const { name } = (await create(server, Object.assign({ bind: { customer_id: "visitor.id" } }, ORDERS))).body;
    const schema = { type: "object", properties: {} };
    const config = { url: "https://api.vendor.example/" };
    const change = { schema, implementation_config: config };
    expect((await server.put(`/api/v1/tools/${name}`, change)).status).toBe(400);
    expect((await server.put(`/api/v1/tools/${name}`, Object.assign({ bind: {} }, change))).status).toBe(200);
  });
});

describe("the source of a bound argument", () => {
  const seed = Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED);
  const text = fc.string({ minLength: 1, maxLength: 8 });
  const party: fc.Arbitrary<BindingParty> = fc.record({
    call: fc.option(
      fc.record({
        id: text,
        direction: fc.constantFrom("inbound" as const, "outbound" as const),
        from_number: text,
        to_number: text,
      }),
    ),
    visitor: fc.option(fc.record({ id: text, type: fc.constantFrom("guest" as const, "user" as const) })),
    variables: fc.dictionary(fc.constantFrom("a", "b", "__proto__"), text),
    isTester: fc.boolean(),
  });
  const source = fc.constantFrom(
    ...["visitor.id", "call.id", "call.from_number", "call.to_number"],
    ...["contact.a", "contact.b", "contact.toString"],
  );

  it("excludes guests, an inbound caller's number and a tester's variables unless the binding allows them", () => {
    fc.assert(
      fc.property(party, source, (whom, from) => {
        const plain = bindArguments({ x: from }, whom);
        const isTheirWord =
          (from === "visitor.id" && whom.visitor?.type === "guest") ||
          (from === "call.from_number" && whom.call?.direction === "inbound") ||
          (from.startsWith("contact.") && whom.isTester);
        if (isTheirWord) expect(plain).toHaveProperty("refused");
        const trusting = bindArguments({ x: { from, unverified: true } }, whom);
        const expected = {
          "visitor.id": whom.visitor?.id,
          "call.id": whom.call?.id,
          "call.from_number": whom.call?.from_number,
          "call.to_number": whom.call?.to_number,
          "contact.a": whom.variables.a,
          "contact.b": whom.variables.b,
        }[from];
        if (expected === undefined) expect(trusting).toHaveProperty("refused");
        else expect(trusting).toEqual({ values: { x: expected } });
        if (!isTheirWord) expect(plain).toEqual(trusting);
        expect(bindArguments({ x: { from, unverified: false } }, whom)).toEqual(plain);
      }),
      { seed },
    );
  });

  it("the source of a bound argument is matched like a variable in a text", () => {
    const whom = { call: null, visitor: null, variables: { "Customer ID": "42" } };
    expect(bindArguments({ x: "contact.customer_id" }, whom)).toEqual({ values: { x: "42" } });
  });
});
