import { afterEach, describe, expect, it, vi } from "vitest";
import { vendor } from "../../agent/tools/support.ts";
import { apiKey } from "../../support/client.ts";
import { begin, ran, SLOTS, type Tested, TOOL, tested, withTest } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const URL_ = "https://slots.example/days";
const READS = { method: "GET", url: URL_, query: { day: "{day}" } };
const WRITES = { method: "POST", url: URL_, body: { day: "{day}" } };
/** A test without mocks. */
const UNMOCKED = { name: "for real", steps: SLOTS.steps, expect: [] };

const setUp = (who: Tested, settings: object) => who.server.put(`/api/v1/tools/${TOOL.name}`, settings);

/** Creates an agent whose tool requests a service with this answer. */
async function connected(implementation_config: object, answer: () => Response = () => Response.json({ at: "ten" })) {
  const who = await tested();
  await setUp(who, { implementation_config });
  await withTest(who, UNMOCKED);
  const requests = vendor(answer);
  const asked = () => requests.mock.calls.map(([input, init]) => new Request(input, init));
  return { who, asked };
}

/** Returns the result of the agent's tool in the first conversation of a run. */
async function used(who: Tested, order: object) {
  const [result] = (await ran(who, order)).results;
  const turn = result?.transcript.find(({ tool }) => tool?.name === TOOL.name);
  return { ok: turn?.tool?.ok, by: turn?.tool?.answered_by, text: turn?.text, unmocked: result?.unmocked_tools };
}

describe("a tool in a test run", () => {
  it.each([
    ["reads", READS, `${URL_}?day=2026-11-27`],
    ["writes", WRITES, URL_],
  ])(
    "a tool in a test run that %s really runs if it is allowed, and otherwise sends no request",
    async (_, config, address) => {
      const { who, asked } = await connected(config);
      for (const order of [{}, { allow_tools: ["another"] }]) {
        expect(await used(who, order)).toEqual({ ok: false, by: "nobody", text: "no mock", unmocked: [TOOL.name] });
        expect(asked()).toEqual([]);
      }
      expect(await used(who, { allow_tools: [TOOL.name] })).toEqual({
        ok: true,
        by: "run",
        text: '{"at":"ten"}',
        unmocked: [],
      });
      const [request, ...others] = asked();
      expect([request?.method, request?.url, others]).toEqual([config.method, address, []]);
      expect(request?.headers.has("idempotency-key")).toBe(config === WRITES);
    },
  );

  it("a tool in a test run is recorded as a run of its own, even if it fails", async () => {
    const { who, asked } = await connected(WRITES, () => Response.json({ no: 1 }, { status: 503 }));
    expect(await used(who, { allow_tools: [TOOL.name] })).toMatchObject({ ok: false, by: "run", unmocked: [] });
    expect(asked()).toHaveLength(1);
    await vi.waitFor(async () => {
      type Runs = { runs: { ok: boolean; status: number; conversation_id: string | null }[] };
      const { body } = await who.server.get<Runs>(`/api/v1/tools/${TOOL.name}/runs`);
      expect(body.runs).toMatchObject([{ ok: false, status: 503, conversation_id: null }]);
    });
  });

  it("does not run if a mock answers, even if it is allowed", async () => {
    const { who, asked } = await connected(READS);
    await withTest(who, SLOTS);
    const { results } = await ran(who, { allow_tools: [TOOL.name] });
    const by = results.map(({ transcript }) => transcript.find(({ tool }) => tool?.name === TOOL.name)?.tool);
    expect(by.map((tool) => tool?.answered_by)).toEqual(["run", "mock"]);
    expect(asked()).toHaveLength(1);
  });

  it("an earlier version's tool in a test run is limited to the version in force", async () => {
    const { who, asked } = await connected(READS);
    const { version } = await ran(who);
    await setUp(who, { bind: { day: "contact.day" } });
    await who.server.patch(who.path, { greeting_message: "Another." });
    const order = { version, allow_tools: [TOOL.name] };
    // The test lacks the variable, so the tool cannot be used.
    expect(await used(who, order)).toMatchObject({ by: undefined });
    expect(asked()).toEqual([]);
  });

  it("requires `connect` even if only an earlier version of it names an integration", async () => {
    const { who, asked } = await connected({
      method: "GET",
      url: "https://slack.com/api/api.test",
      headers: { "x-day": "{day}", authorization: "Bearer {{slack.bot_token}}" },
    });
    const { version } = await ran(who);
    await setUp(who, { implementation_config: READS });
    const { server } = await apiKey(who.user, { scopes: ["build", "listen"] });
    const order = { version, allow_tools: [TOOL.name] };
    const refused = await begin(Object.assign({}, who, { server }), order);
    expect([refused.status, refused.code]).toEqual([403, "missing_scope"]);
    expect((await begin(who, order)).status).toBe(202);
    expect(asked()).toEqual([]);
  });
});
