import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import type { Access } from "../../src/kernel/http/context.ts";
import { served } from "../../src/kernel/http/serve.ts";
import type { Audience } from "../../src/kernel/secrets/tokens.ts";
import { BASE, call } from "../support/client.ts";
import { openRuntime, setup } from "../support/runtime.ts";
import { claimsOf } from "../support/widget.ts";
import { everyCredential, METRICS_TOKEN, type Shown } from "./credentials.ts";
import { rowsOf, TABLE } from "./table.ts";

/** A kind of door. `job` is an operators' door that accepts their tokens. */
type Kind = Access | "job";

interface Operation {
  method: string;
  path: string;
  access: Kind;
}

/** Returns every operation of the OpenAPI document with its required access. */
async function operations(): Promise<Operation[]> {
  const { body } = await call<{ paths: Record<string, Record<string, { operationId: string }>> }>(
    "GET",
    "/openapi.json",
  );
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const endpoint = served.find((one) => one.operationId === operationId);
      if (!endpoint) throw new Error(`nobody serves ${operationId}`);
      const access: Kind = endpoint.operatorScopes ? "job" : endpoint.access;
      return { method: method.toUpperCase(), path, access };
    }),
  );
}

/** Doors that OpenAPI cannot describe. */
const SOCKETS = ["/runtime", "/runtime/:provider/:account/:credentials/:call"];

/** Refusals that happen before a request is read. */
const REFUSALS = new Set([
  "token_missing",
  "malformed_token",
  "token_invalid",
  "session_token_required",
  "api_key_required",
  "console_required",
  "forbidden",
  "not_a_runtime",
  "visitor_not_yours",
  "account_required",
  "account_mismatch",
]);

/** Sends a request that does nothing: its unknown parameter is refused as soon as the caller is admitted. */
async function knock(
  { method, path }: Operation,
  { headers }: Shown,
): Promise<{ status: number; code: string | null }> {
  const filled = path.replaceAll("{account}", "nobody").replaceAll(/\{\w+\}/g, "019aa5c4-0000-7000-8000-000000000000");
  const { status, code } = await call(method, `${filled}?no_such_parameter=1`, { headers });
  return { status, code };
}

/** Returns `open`, or how the request was refused, with the code if the table names one. */
const answered = ({ status, code }: { status: number; code: string | null }, expected: string) =>
  code === null || !REFUSALS.has(code) ? "open" : expected.includes(" ") ? `${status} ${code}` : String(status);

let credentials: Record<string, Shown>;
let doors: Operation[];

beforeAll(async () => {
  [credentials, doors] = [await everyCredential(), await operations()];
});

const ROWS = rowsOf(TABLE);
const KINDS: Kind[] = ["account", "console", "session", "server", "operator", "job", "runtime"];

describe("every credential at every door", () => {
  it("every credential and every kind of endpoint is in the table", async () => {
    expect(ROWS.map(({ shown }) => shown)).toEqual(Object.keys(credentials));
    expect([...new Set(doors.map(({ access }) => access))].sort()).toEqual([...KINDS, "public"].sort());
    const undocumented = new Set(
      app.routes
        .filter(({ method }) => method !== "ALL")
        .map(({ path }) => path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}"))
        .filter((path) => !doors.some((door) => door.path === path)),
    );
    const known = ["/openapi.json", ...SOCKETS.map((path) => path.replaceAll(/:(\w+)/g, "{$1}"))];
    expect([...undocumented].sort()).toEqual(known.sort());
  });

  it("the table of credentials covers every audience", () => {
    const audiences = Object.values(credentials).flatMap(({ token }) =>
      token.startsWith("eyJ") ? [claimsOf(token).aud as Audience] : [],
    );
    const every: Record<Audience, true> = {
      carrier: true,
      console: true,
      "console-refresh": true,
      "event-stream": true,
      login: true,
      runtime: true,
      "sign-in-ticket": true,
      tester: true,
      transfer: true,
      visitor: true,
      "visitor-refresh": true,
      "visitor-token": true,
    };
    expect([...new Set(audiences)].sort()).toEqual(Object.keys(every).sort());
  });

  for (const { shown, answers } of ROWS) {
    const words = KINDS.map((kind) => `${kind} ${answers[kind]}`).join(", ");
    it(`${shown}: ${words}`, async () => {
      const { [shown]: credential = expect.fail("there is none") } = credentials;
      for (const door of doors) {
        const expected = answers[door.access] ?? "";
        if (door.access === "public") continue;
        const answer = answered(await knock(door, credential), expected);
        expect.soft([door.method, door.path, answer]).toEqual([door.method, door.path, expected]);
      }
    });
  }

  it("no credential changes the answer of a public endpoint", async () => {
    const open = doors.filter(({ access }) => access === "public");
    const { nothing = expect.fail("there is none") } = credentials;
    for (const door of open) {
      const { status, code } = await knock(door, nothing);
      for (const [shown, credential] of Object.entries(credentials)) {
        expect.soft([door.path, shown, await knock(door, credential)]).toEqual([door.path, shown, { status, code }]);
      }
    }
  });
});

describe("every token at the runtime's socket", () => {
  /** Returns the frame with which the token opens the socket, otherwise the code with which the socket is closed. */
  async function opens(token: string): Promise<string> {
    const frames = {
      widget: { type: "session", access_token: token },
      carrier: setup(token),
    };
    const opened: string[] = [];
    const closed = new Set<number>();
    for (const [name, frame] of Object.entries(frames)) {
      const socket = await openRuntime();
      socket.send(frame);
      const first = await Promise.race([socket.next().catch(() => null), socket.closed]);
      if (first && "type" in first) opened.push(name);
      else closed.add((await socket.closed).code);
      socket.close();
    }
    return opened.length > 0 ? opened.join(" and ") : [...closed].join(" and ");
  }

  for (const { shown, answers } of ROWS.filter(({ shown }) => !shown.includes("+"))) {
    it(`${shown}: ${answers.socket}`, async () => {
      const { [shown]: credential = expect.fail("there is none") } = credentials;
      expect(await opens(credential.token)).toBe(answers.socket);
    });
  }

  it("the handshake accepts the same tokens as the first frame", async () => {
    for (const { shown, answers } of ROWS) {
      const { [shown]: credential = expect.fail("there is none") } = credentials;
      if (shown === "nothing") continue;
      const opened = await openRuntime(undefined, credential.headers).then(
        () => true,
        () => false,
      );
      expect([shown, opened]).toEqual([shown, answers.socket !== "4401"]);
    }
  });

  it("the carrier's own address requires the carrier's signature", async () => {
    for (const { headers, token } of Object.values(credentials)) {
      const path = `/runtime/twilio/nobody/${crypto.randomUUID()}/${crypto.randomUUID()}?token=${token}`;
      const { status } = await call("GET", path, { headers: { ...headers, upgrade: "websocket" } });
      expect(status).toBe(403);
    }
  });
});

/** Endpoints that accept a token in the address or the body, and the kinds of tokens that they accept. */
const PLACES: Record<string, { takes: string[]; opens: (token: string) => Promise<boolean> }> = {
  "exchange of a visitor token": {
    takes: ["visitor token"],
    opens: async (token) =>
      (await call("POST", "/api/v1/widget/auth/exchange", SENT({ visitor_token: token }))).status === 200,
  },
  "renewal of a visitor's session": {
    takes: ["visitor's refresh token"],
    opens: async (token) =>
      (await call("POST", "/api/v1/widget/auth/refresh", SENT({ refresh_token: token }))).status === 200,
  },
  "renewal of a console session": {
    takes: ["console's refresh token"],
    opens: async (token) => (await call("POST", "/api/session/refresh", SENT({ refresh_token: token }))).status === 200,
  },
  introspection: {
    takes: ["visitor's access token", "tester's token"],
    opens: async (token) => {
      const { "API key": key = expect.fail("there is none") } = credentials;
      const asked = { headers: key.headers, body: { token } };
      const { body } = await call<{ active: boolean }>("POST", "/api/v1/widget/auth/introspect", asked);
      return body.active === true;
    },
  },
  "what an invitation says": {
    takes: ["token of an invitation"],
    opens: async (token) => (await call("POST", "/api/invitations/lookup", { body: { token } })).status === 200,
  },
  "accepting an invitation": {
    takes: ["token of an invitation"],
    opens: async (token) => {
      const body = { token, name: "Ada", password: "correct horse battery" };
      return (await call("POST", "/api/invitations/accept", { body })).status < 300;
    },
  },
  "a new password": {
    takes: ["token of a reset link"],
    opens: async (token) => {
      const body = { token, new_password: "battery staple horse" };
      return (await call("POST", "/api/password/reset", { body })).status < 300;
    },
  },
  "the second step of a sign-in": {
    takes: [],
    opens: async (ticket) =>
      (await call("POST", "/api/login/second-factor", { body: { ticket, code: "000000" } })).status < 300,
  },
  "joining another account's session": {
    takes: [],
    opens: async (access_token) => {
      const { "console token": own = expect.fail("there is none") } = credentials;
      const sent = { headers: own.headers, body: { access_token } };
      return (await call("POST", "/api/memberships/join", sent)).status < 300;
    },
  },
  "an address of a confirmation": {
    takes: [],
    opens: async (token) => {
      const { "console token": own = expect.fail("there is none") } = credentials;
      const path = `/api/v1/confirmations/${encodeURIComponent(token)}/approve`;
      return (await call("POST", path, { headers: own.headers })).status < 300;
    },
  },
  "what scrapers read": {
    takes: ["token of /metrics"],
    opens: async (token) => {
      const request = new Request(`${BASE}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      const bindings = Object.assign({}, env, { METRICS_TOKEN });
      return (await app.fetch(request, bindings, createExecutionContext())).status === 200;
    },
  },
  "a campaign's stream": {
    takes: [],
    opens: async (token) => (await call("GET", `/api/campaigns/${ID}/events?ticket=${token}`)).status === 200,
  },
  "the account's stream": {
    takes: [],
    opens: async (token) => (await call("GET", `/api/events/stream?ticket=${token}`)).status === 200,
  },
  "a recording's address": {
    takes: [],
    opens: async (token) => {
      const address = `/api/recordings/nobody/${ID}?expires=${Date.now() + 60_000}&signature=${token}`;
      return (await call("GET", address)).status === 200;
    },
  },
  "a call's webhook": {
    takes: [],
    opens: async (token) => {
      const address = `/api/telephony/webhooks/sandbox/nobody/${ID}?token=${token}&transfer=${token}`;
      return (await call("POST", address, { raw: "{}" })).status < 400;
    },
  },
};
const ID = "019aa5c4-0000-7000-8000-000000000000";
const SENT = (body: object) => ({ headers: { origin: "https://shop.example" }, body });

describe("every token in an address or a body", () => {
  for (const [place, { takes, opens }] of Object.entries(PLACES)) {
    it(`${place}: ${takes.join(" or ") || "none of another row, call or campaign"}`, async () => {
      for (const [shown, { token }] of Object.entries(credentials).filter(([shown]) => !shown.includes("+"))) {
        expect.soft([shown, await opens(token)]).toEqual([shown, takes.includes(shown)]);
      }
    });
  }
});
