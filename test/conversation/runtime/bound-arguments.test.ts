import { afterEach, describe, expect, it, vi } from "vitest";
import { vendor } from "../../agent/tools/support.ts";
import { type RuntimeSession, runtimeFor, runtimeSession } from "../../support/runtime.ts";

afterEach(() => vi.unstubAllGlobals());

interface Session {
  call: { from_number: string; to_number: string };
  tools: { name: string; parameters: object; effect: string; max_runs: number | null; bound?: object }[];
  unavailable_tools: { name: string; reason: string }[];
}
interface Used {
  ok: boolean;
  result: unknown;
}

const SCHEMA = {
  type: "object",
  properties: { number: { type: "string" }, note: { type: "string" } },
  required: ["number", "note"],
  additionalProperties: false,
};
const CONFIG = { method: "POST", url: "https://api.vendor.example/notes/{number}", body: { note: "{note}" } };

/** Creates an inbound call whose agent has a tool with these bindings. Its session was not requested yet. */
async function callWith(bind: object, more: object = {}): Promise<RuntimeSession> {
  const call = await runtimeSession();
  const tool = { name: "note", implementation_config: CONFIG, schema: SCHEMA, bind };
  const created = await call.server.post("/api/v1/tools", Object.assign(tool, more));
  expect(created.status).toBe(201);
  await call.server.post(`/api/v1/agents/${call.agent_id}/tools`, { tool_name: "note" });
  return call;
}
const sessionOf = async ({ client }: RuntimeSession) => (await client.get<Session>("/api/runtime/v1/session")).body;
const use = async ({ client }: RuntimeSession, args: object) =>
  (await client.post<Used>("/api/runtime/v1/session/tools/note", { arguments: args })).body;

describe("bound arguments in a conversation", () => {
  it("bound arguments are hidden from the model and filled in by the service", async () => {
    const call = await callWith({ number: "call.to_number" });
    const requests = vendor(() => Response.json({}));
    const session = await sessionOf(call);
    expect(session.tools.find(({ name }) => name === "note")).toEqual({
      name: "note",
      description: "",
      parameters: {
        type: "object",
        properties: { note: { type: "string" } },
        required: ["note"],
        additionalProperties: false,
      },
      effect: "write",
      max_runs: 3,
      runs: "platform",
    });
    expect(await use(call, { note: "n" })).toMatchObject({ ok: true });
    expect(String(requests.mock.calls[0]?.[0])).toBe(
      `https://api.vendor.example/notes/${encodeURIComponent(session.call.to_number)}`,
    );
    requests.mockClear();
    for (const number of [session.call.to_number, "+12025550199"])
      expect(await use(call, { note: "n", number })).toMatchObject({
        ok: false,
        result: "the arguments are invalid: number must not be sent: Switchboard fills it in",
      });
    expect(requests).not.toHaveBeenCalled();
  });

  it("an inbound caller's number is not bound unless the binding allows it", async () => {
    const strict = await callWith({ number: "call.from_number" });
    const requests = vendor(() => Response.json({}));
    const reason = "the argument number is bound to call.from_number, which is unverified in this conversation";
    expect((await sessionOf(strict)).unavailable_tools).toContainEqual({ name: "note", reason });
    expect(await use(strict, { note: "n" })).toMatchObject({ ok: false, result: reason });
    expect(requests).not.toHaveBeenCalled();

    const lax = await callWith({ number: { from: "call.from_number", unverified: true } });
    const { call } = await sessionOf(lax);
    expect(await use(lax, { note: "n" })).toMatchObject({ ok: true });
    expect(String(requests.mock.calls[0]?.[0])).toContain(encodeURIComponent(call.from_number));
  });

  it("follow the tool's current bindings, also if it was bound after the session began", async () => {
    const call = await callWith({});
    await sessionOf(call);
    const requests = vendor(() => Response.json({}));
    await call.server.put("/api/v1/tools/note", { bind: { number: "visitor.id" } });
    const result = "the argument number is bound to visitor.id, which this conversation does not have";
    expect(await use(call, { note: "n", number: "1" })).toMatchObject({ ok: false, result });
    await call.server.put("/api/v1/tools/note", { bind: { number: "call.id" } });
    expect(await use(call, { note: "n", number: "1" })).toMatchObject({ ok: false });
    expect(requests).not.toHaveBeenCalled();
    expect(await use(call, { note: "n" })).toMatchObject({ ok: true });
    expect(String(requests.mock.calls[0]?.[0])).toContain(call.call_id);
  });

  it("a tester's own variables are not bound unless the binding allows it", async () => {
    const who = await callWith({ number: "contact.account" });
    const requests = vendor(() => Response.json({}));
    const begin = async () => {
      const sent = { variables: { account: "42" } };
      const path = `/api/v1/agents/${who.agent_id}/session`;
      const { body } = await who.server.post<{ access_token: string }>(path, sent);
      return Object.assign({}, who, { client: runtimeFor(who, body.access_token) });
    };
    const strict = await begin();
    const reason = "the argument number is bound to contact.account, which is unverified in this conversation";
    expect((await sessionOf(strict)).unavailable_tools).toContainEqual({ name: "note", reason });
    expect(await use(strict, { note: "n" })).toMatchObject({ ok: false, result: reason });
    expect(requests).not.toHaveBeenCalled();

    await who.server.put("/api/v1/tools/note", { bind: { number: { from: "contact.account", unverified: true } } });
    expect(await use(await begin(), { note: "n" })).toMatchObject({ ok: true });
    expect(String(requests.mock.calls[0]?.[0])).toBe("https://api.vendor.example/notes/42");
  });

  it("bound arguments are passed to a runtime that runs the tool itself", async () => {
    const python = {
      implementation_type: "python",
      implementation_config: {},
      implementation_code: "def run(a, s): ...",
    };
    const call = await callWith({ number: "call.to_number" }, python);
    const { call: parties, tools } = await sessionOf(call);
    expect(tools.find(({ name }) => name === "note")).toMatchObject({
      parameters: { required: ["note"] },
      bound: { number: parties.to_number },
    });
  });
});
