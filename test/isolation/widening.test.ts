import { beforeAll, describe, expect, it } from "vitest";
import { served } from "../../src/kernel/http/serve.ts";
import { SCOPES, type Scope } from "../../src/kernel/scopes.ts";
import { apiKey, type Client, call, consoleUser, type Tenant, tenant } from "../support/client.ts";
import { CASES, type Case, CONSOLE_CASES } from "./widening-cases.ts";
import { DIFFERENCES, PLACED } from "./widening-placed.ts";

const everyCase = [...CASES, ...CONSOLE_CASES];
let owner: Tenant;

beforeAll(async () => {
  owner = await tenant();
  const server = { base_url: "https://models.acme.example/v1", models: "llama3.3" };
  await owner.server.post("/api/v1/integrations/custom_llm/install", { params: server, secrets: { api_key: "k" } });
});

/** Returns every operation of the OpenAPI document that may write, with its kind of access. */
async function writes(): Promise<Map<string, string | undefined>> {
  type Described = { operationId: string };
  const { body } = await call<{ paths: Record<string, Record<string, Described>> }>("GET", "/openapi.json");
  return new Map(
    Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== "get")
        .map(([method, { operationId }]) => {
          const access = served.find((endpoint) => endpoint.operationId === operationId)?.access;
          return [`${method.toUpperCase()} ${path}`, access] as const;
        }),
    ),
  );
}

/** Sends the request once without the scope, which must change nothing, and once with it. */
async function replay({ needs, begin }: Case, without: Client, withIt: Client): Promise<void> {
  const { ask, seen } = await begin(owner);
  const before = (await owner.user.get(seen)).body;
  const refused = await ask(without);
  expect([refused.status, refused.code, JSON.stringify(refused.body)]).toEqual([
    403,
    "missing_scope",
    expect.stringContaining(`the scope ${needs}`),
  ]);
  expect((await owner.user.get(seen)).body).toEqual(before);
  const made = await ask(withIt);
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
}

const lacking = async (needs: Scope) =>
  (await apiKey(owner.user, { scopes: SCOPES.filter((scope) => scope !== needs) })).server;

describe("what widens an authority", () => {
  it("every writing operation states whether it can widen an authority", async () => {
    const operations = await writes();
    expect(Object.keys(PLACED).sort()).toEqual([...operations.keys()].sort());
    for (const [name, access] of operations)
      expect.soft([name, PLACED[name] === "operator"]).toEqual([name, access === "operator"]);
  });

  it("every operation that can widen an authority has a case", () => {
    const placed = Object.entries(PLACED).flatMap(([endpoint, differences]) =>
      typeof differences === "string" ? [] : differences.map((widens) => `${endpoint}: ${widens}`),
    );
    const replayed = everyCase.map(({ endpoint, widens }) => `${endpoint}: ${widens}`);
    expect([...new Set(replayed)].sort()).toEqual(placed.sort());
    expect([...new Set(everyCase.map(({ widens }) => widens))].sort()).toEqual([...DIFFERENCES].sort());
  });
});

describe("a change that widens an authority", () => {
  for (const [n, one] of CASES.entries())
    it(`the change of ${one.widens} by ${one.endpoint} requires ${one.needs} (case ${n + 1})`, async () => {
      await replay(one, await lacking(one.needs), owner.server);
    });

  for (const one of CONSOLE_CASES)
    it(`the change of ${one.widens} by ${one.endpoint} requires ${one.needs} and a console session`, async () => {
      await replay(one, await consoleUser(owner.account, "builder"), owner.user);
      const { ask } = await one.begin(owner);
      expect((await ask(owner.server)).code).toBe("console_required");
    });
});
