import { describe, expect, it } from "vitest";
import { MAX_TESTS } from "../../../src/agent/tests/fields.ts";
import { apiKey, consoleUser, tenant } from "../../support/client.ts";

interface Test {
  id: string;
  agent_id: string;
  name: string;
  steps: { says: string }[] | null;
  expect: object[] | null;
  required: boolean;
  [field: string]: unknown;
}

const GOODBYE = { name: "Says goodbye", steps: [{ says: "Goodbye" }] };

async function withAgent() {
  const who = await tenant();
  const { body } = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Reception" });
  return { ...who, agent_id: body.id, path: `/api/v1/agents/${body.id}/tests` };
}

describe("a test of an agent", () => {
  it("a test of an agent is created with defaults, read, listed, changed and deleted", async () => {
    const { server, path, agent_id, key } = await withAgent();
    const made = await server.post<Test>(path, GOODBYE);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...GOODBYE,
      agent_id,
      variables: {},
      tool_mocks: [],
      expect: [],
      repeat: 1,
      min_passes: 1,
      required: false,
      conversation_id: null,
      created_by: `api_key:${key.id}`,
    });
    const at = `${path}/${made.body.id}`;
    expect((await server.get(at)).body).toEqual(made.body);
    const changes = { required: true, expect: [{ ended: true }, { tool_called: { name: "end_call" } }] };
    const changed = await server.patch<Test>(at, changes);
    expect(changed.body).toMatchObject({ ...GOODBYE, ...changes });
    const second = await server.post<Test>(path, { ...GOODBYE, name: "Another" });
    expect((await server.get<{ tests: Test[] }>(path)).body).toEqual({ tests: [changed.body, second.body], total: 2 });
    expect((await server.delete(at)).status).toBe(204);
    expect((await server.get(at)).status).toBe(404);
    const { entries } = (
      await server.get<{ entries: { action: string; resource_name: string }[] }>("/api/v1/audit-log")
    ).body;
    expect(entries[0]).toMatchObject({ action: "delete", resource: "agent_test", resource_name: "Says goodbye" });
  });

  it("must pass every repetition by default, even if the number of repetitions changes", async () => {
    const { server, path } = await withAgent();
    const { body } = await server.post<Test>(path, { ...GOODBYE, repeat: 3 });
    expect(body).toMatchObject({ repeat: 3, min_passes: 3 });
    const at = `${path}/${body.id}`;
    const patch = async (changes: object) => {
      const { repeat, min_passes } = (await server.patch<Test>(at, changes)).body;
      return [repeat, min_passes];
    };
    expect(await patch({ repeat: 5 })).toEqual([5, 5]);
    expect(await patch({ min_passes: 2 })).toEqual([5, 2]);
    expect(await patch({ repeat: 4 })).toEqual([4, 2]);
    expect(await patch({ name: "Another" })).toEqual([4, 2]);
    expect(await patch({ repeat: 1, min_passes: 1 })).toEqual([1, 1]);
    expect(await patch({ repeat: 3 })).toEqual([3, 3]);
    const { entries } = (await server.get<{ entries: { changes: object }[] }>("/api/v1/audit-log")).body;
    expect(entries[0]?.changes).toEqual({ repeat: null, min_passes: null });
  });

  it("a test of an agent is changed only from its current revision", async () => {
    const { server, path } = await withAgent();
    const { body } = await server.post<Test>(path, GOODBYE);
    const at = `${path}/${body.id}`;
    const etag = (await server.get(at)).headers.get("etag") ?? "";
    const sent = (name: string) =>
      server.send("PATCH", at, JSON.stringify({ name }), { "if-match": etag, "content-type": "application/json" });
    expect((await sent("Mine")).status).toBe(200);
    expect((await sent("Theirs")).code).toBe("changed_meanwhile");
  });

  it("deleting an agent deletes its tests", async () => {
    const { server, path, agent_id } = await withAgent();
    await server.post(path, GOODBYE);
    await server.delete(`/api/v1/agents/${agent_id}`);
    expect((await server.get(path)).status).toBe(404);
  });
});

describe("a test of an agent", () => {
  it.each<[string, object, string]>([
    ["no steps", { steps: [] }, "steps"],
    ["an empty step", { steps: [{ says: " " }] }, "steps.0.says"],
    ["too many steps", { steps: Array.from({ length: 31 }, () => ({ says: "Hi" })) }, "steps"],
    ["an expectation of nothing", { expect: [{}] }, "expect.0"],
    ["an expectation of two kinds", { expect: [{ said: "a", not_said: "b" }] }, "expect.0"],
    ["an unknown expectation", { expect: [{ shouted: "a" }] }, "expect.0"],
    ["an expectation of the wrong type", { expect: [{ ended: "yes" }] }, "expect.0.ended"],
    ["too many expectations", { expect: Array.from({ length: 31 }, () => ({ ended: true })) }, "expect"],
    ["a mock without a tool", { tool_mocks: [{ result: 1 }] }, "tool_mocks.0.tool"],
    ["a mock for no object", { tool_mocks: [{ tool: "a", when: "b", result: 1 }] }, "tool_mocks.0.when"],
    ["no name", { name: "" }, "name"],
    ["no repetition", { repeat: 0 }, "repeat"],
    ["too many repetitions", { repeat: 11 }, "repeat"],
    ["half a repetition", { repeat: 1.5 }, "repeat"],
    ["none that must pass", { repeat: 3, min_passes: 0 }, "min_passes"],
    ["more that must pass than there are", { repeat: 3, min_passes: 4 }, "min_passes"],
    ["more that must pass than the one there is by default", { min_passes: 2 }, "min_passes"],
  ])("a test of an agent is refused for %s, which the error names", async (_, fields, field) => {
    const { server, path } = await withAgent();
    const sent = JSON.stringify({ ...GOODBYE, ...fields });
    const headers = { "content-type": "application/json", accept: "application/problem+json" };
    const { status, body } = await server.send<{ errors: { field: string }[] }>("POST", path, sent, headers);
    expect([status, body.errors.at(-1)?.field]).toEqual([400, field]);
  });

  it("cannot be changed so that more repetitions must pass than there are, even concurrently", async () => {
    const { server, path } = await withAgent();
    const { body } = await server.post<Test>(path, { ...GOODBYE, repeat: 5, min_passes: 3 });
    const at = `${path}/${body.id}`;
    const headers = { "content-type": "application/json", accept: "application/problem+json" };
    for (const changes of [{ repeat: 2 }, { min_passes: 6 }, { repeat: 4, min_passes: 5 }]) {
      const refused = await server.send<{ errors: object[] }>("PATCH", at, JSON.stringify(changes), headers);
      expect([refused.status, refused.body.errors]).toMatchObject([400, [{ field: "min_passes", code: "too_large" }]]);
    }
    expect((await server.get<Test>(at)).body).toMatchObject({ repeat: 5, min_passes: 3 });
    // Each of these changes is possible on its own. One of them is refused when both are made.
    const both = await Promise.all([server.patch(at, { repeat: 3 }), server.patch(at, { min_passes: 4 })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const stale = { ...headers, "if-match": '"1.x"' };
    expect((await server.send("PATCH", at, JSON.stringify({ repeat: 1 }), stale)).status).toBe(412);
  });

  it("a test is refused if it names something unknown or exceeds the agent's limit", async () => {
    const { server, path } = await withAgent();
    const unknown = crypto.randomUUID();
    expect((await server.post(`/api/v1/agents/${unknown}/tests`, GOODBYE)).status).toBe(404);
    expect((await server.get(`${path}/${unknown}`)).status).toBe(404);
    expect((await server.patch(`${path}/${unknown}`, { name: "x" })).status).toBe(404);
    expect((await server.delete(`${path}/${unknown}`)).status).toBe(404);
    const statuses = await Promise.all(
      Array.from({ length: MAX_TESTS + 3 }, async () => (await server.post(path, GOODBYE)).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(MAX_TESTS);
    expect((await server.post(path, GOODBYE)).code).toBe("too_many_tests");
  });
});

describe("a test of an agent", () => {
  it("shows what is said in it only to those who may listen", async () => {
    const { user, account, path } = await withAgent();
    const { body } = await user.post<Test>(path, { ...GOODBYE, expect: [{ ended: true }], variables: { name: "Ada" } });
    for (const viewer of [await consoleUser(account, "viewer"), (await apiKey(user, { scopes: ["build"] })).server]) {
      const hidden = { steps: null, variables: null, tool_mocks: null, expect: null };
      expect((await viewer.get(`${path}/${body.id}`)).body).toEqual({ ...body, ...hidden });
      expect((await viewer.get<{ tests: Test[] }>(path)).body.tests).toEqual([{ ...body, ...hidden }]);
    }
    const analyst = await consoleUser(account, "analyst");
    expect((await analyst.get(`${path}/${body.id}`)).body).toEqual(body);
    expect((await analyst.delete(`${path}/${body.id}`)).code).toBe("missing_scope");
  });

  it("a test is visible only to keys for its agent", async () => {
    const { user, path } = await withAgent();
    const other = await user.post<{ id: string }>("/api/v1/agents", { name: "Other" });
    const { server } = await apiKey(user, { scopes: ["build", "listen"], agent_ids: [other.body.id] });
    expect((await server.get(path)).status).toBe(404);
    expect((await server.post(path, GOODBYE)).status).toBe(404);
    expect((await server.post(`/api/v1/agents/${other.body.id}/tests`, GOODBYE)).status).toBe(201);
  });
});
