import { beforeAll, describe, expect, it } from "vitest";
import type { Access } from "../../src/kernel/http/context.ts";
import { served } from "../../src/kernel/http/serve.ts";
import { ROLES, type Role, SCOPES, type Scope, type ScopeChoice } from "../../src/kernel/scopes.ts";
import { apiKey, type Client, call, consoleUser, type Tenant, tenant } from "../support/client.ts";
import { page, widgetTenant } from "../support/widget.ts";
import { PLACED, PLACED_IF_NAMED } from "./placed.ts";

/** The documented scopes of each role, deliberately repeated here. */
const MAY: Record<Role, Scope[]> = {
  owner: ["read", "listen", "build", "connect", "dial", "manage", "runtime"],
  admin: ["read", "listen", "build", "connect", "dial", "manage", "runtime"],
  builder: ["read", "listen", "build", "connect"],
  operator: ["read", "listen", "dial"],
  analyst: ["read", "listen"],
  viewer: ["read"],
};

/** Returns the scopes of a key that was created with only this one. */
const ofScope = (scope: Scope): Scope[] => (scope === "runtime" ? ["runtime"] : [...new Set<Scope>(["read", scope])]);

interface Operation {
  name: string;
  method: string;
  path: string;
  access: Access;
  scope: Scope[];
  /** The additional scopes that viewers, analysts and keys with chosen scopes need. */
  ifNamed: ScopeChoice;
  description: string;
}

/** Returns every operation of the OpenAPI document. */
async function readOperations(): Promise<Operation[]> {
  type Described = {
    operationId: string;
    description: string;
    "x-scope": Scope[];
    "x-scope-if-named"?: Scope[][];
  };
  const { body } = await call<{ paths: Record<string, Record<string, Described>> }>("GET", "/openapi.json");
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, ...scopes }]) => {
      const access = served.find((endpoint) => endpoint.operationId === operationId)?.access;
      if (!access) throw new Error(`nobody serves ${operationId}`);
      const verb = method.toUpperCase();
      const { "x-scope": scope, "x-scope-if-named": ifNamed = [] } = scopes;
      return { name: `${verb} ${path}`, method: verb, path, access, scope, ifNamed, description };
    }),
  );
}

/** Sends a request that does nothing: its unknown parameter is refused as soon as the caller is admitted. */
async function ask(client: Client, { method, path }: Operation, headers: Record<string, string> = {}) {
  const filled = path.replaceAll("{account}", "nobody").replaceAll(/\{\w+\}/g, "019aa5c4-0000-7000-8000-000000000000");
  return client.send<string>(method, `${filled}?no_such_parameter=1`, undefined, headers);
}

/** Returns the expected answer for these scopes; "in" if the request is admitted. */
function expected(
  { access, scope, ifNamed }: Operation,
  kind: "console" | "api_key",
  may: Scope[],
  isNarrow: boolean,
): string {
  if (access === "public") return "in";
  if (access === "operator") return "forbidden";
  if (kind === "api_key" && ["console", "session"].includes(access)) return "console_required";
  if (kind === "console" && access === "server") return "api_key_required";
  const missing = scope.find((one) => !may.includes(one));
  if (missing !== undefined) return `missing_scope ${missing}`;
  const isHeld = ifNamed.length === 0 || ifNamed.some((list) => list.every((one) => may.includes(one)));
  return isNarrow && !isHeld ? `missing_scope ${ifNamed[0]?.[0]}` : "in";
}

const REFUSED = ["missing_scope", "console_required", "api_key_required", "forbidden"];

function answered({ code, body }: { code: string | null; body: string }): string {
  if (code === null || !REFUSED.includes(code)) return "in";
  return code === "missing_scope" ? `${code} ${/the scope (\w+)/.exec(body)?.[1]}` : code;
}

let operations: Operation[];
let owner: Tenant;

beforeAll(async () => {
  [operations, owner] = [await readOperations(), await tenant()];
});

describe("every operation", () => {
  it("every operation has a place and the scopes that it requires", () => {
    const stated = Object.fromEntries(operations.map(({ name, scope }) => [name, scope.join(" ")]));
    expect(stated).toEqual(PLACED);
    const ifNamed = operations.filter((one) => one.ifNamed.length > 0);
    expect(Object.fromEntries(ifNamed.map((one) => [one.name, one.ifNamed]))).toEqual(PLACED_IF_NAMED);
  });

  it("every operation without an account's authority requires no scope, and describes its requirement", () => {
    for (const { name, access, scope, ifNamed, description } of operations) {
      if (["public", "operator", "session"].includes(access)) expect.soft([name, scope]).toEqual([name, []]);
      for (const one of [...scope, ...ifNamed.flat()])
        expect.soft([name, description]).toEqual([name, expect.stringContaining(`\`${one}\``)]);
    }
  });
});

describe("every role at every operation", () => {
  for (const role of ROLES) {
    it(`${role} may ${MAY[role].join(", ")}`, async () => {
      const member = await consoleUser(owner.account, role);
      for (const operation of operations) {
        // A call's session token opens these, or a key does.
        if (operation.access === "runtime") continue;
        const { name } = operation;
        const answer = answered(await ask(member, operation));
        expect
          .soft([name, answer])
          .toEqual([name, expected(operation, "console", MAY[role], ["analyst", "viewer"].includes(role))]);
      }
    });
  }

  it("prints who may do what", () => {
    const may = (role: Role, scope: Scope[]) => (scope.every((one) => MAY[role].includes(one)) ? "x" : "·");
    const rows = operations
      .filter(({ access }) => access === "account" || access === "console")
      .map(({ name, scope }) => [...ROLES.map((role) => may(role, scope).padEnd(9)), name, `[${scope}]`].join(" "));
    console.info([ROLES.map((role) => role.padEnd(9)).join(" "), ...rows].join("\n"));
    expect(rows.length).toBeGreaterThan(100);
  });
});

describe("every scope at every operation", () => {
  for (const scope of SCOPES) {
    it(`a key with ${scope} alone may ${ofScope(scope).join(", ")}`, async () => {
      const { server } = await apiKey(owner.user, { scopes: [scope] });
      for (const operation of operations) {
        if (operation.access === "runtime") continue;
        const { name } = operation;
        const answer = answered(await ask(server, operation));
        expect.soft([name, answer]).toEqual([name, expected(operation, "api_key", ofScope(scope), true)]);
      }
    });
  }

  it("a key without named scopes may change widget keys and sign visitors in", async () => {
    const { server } = await apiKey(owner.user, {});
    for (const operation of operations.filter(({ ifNamed }) => ifNamed.length > 0)) {
      const answer = answered(await ask(server, operation));
      const wanted = operation.access === "console" ? "console_required" : "in";
      expect.soft([operation.name, answer]).toEqual([operation.name, wanted]);
    }
  });

  it("only a key with runtime holds a visitor's conversation", async () => {
    const created = await widgetTenant();
    const visitor = { "x-visitor-token": (await page().guest(created.widgetKey.key)).body.access_token };
    for (const scope of SCOPES) {
      const { server } = await apiKey(created.user, { scopes: [scope] });
      for (const operation of operations.filter(({ access }) => access === "runtime")) {
        const answer = answered(await ask(server, operation, visitor));
        const wanted = scope === "runtime" ? "in" : "missing_scope runtime";
        expect.soft([operation.name, scope, answer]).toEqual([operation.name, scope, wanted]);
      }
    }
  });
});
