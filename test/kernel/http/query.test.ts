import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../../src/kernel/http/endpoint.ts";
import { served } from "../../../src/kernel/http/serve.ts";
import "../../../src/app.ts";
import { call, consoleUser, operator, tenant } from "../../support/client.ts";

/** The endpoints to which other parties add parameters of their own. */
const OPEN = ["receiveCallWebhook", "answerInboundCall", "finishLogin", "getIndex"];

describe("query parameters", () => {
  it("an unknown query parameter is named in a 400", async () => {
    const [{ user, server, account }, admin] = [await tenant(), await operator()];
    const clients = { account: user, console: user, server, operator: admin, public: null } as const;
    const answered = async ({ method, path, access, operationId, body, rawBody }: Endpoint) => {
      // Other tests cover runtime endpoints. A session endpoint gets a session of its own, because the request may end it.
      if (access === "runtime") return null;
      const client = access === "session" ? await consoleUser(account) : clients[access];
      const filled = path
        .replace("{account}", account)
        .replace("{bucket}", "recordings")
        .replace(/\{(number|from|to)\}/g, "1")
        .replace(/\{\w+\}/g, crypto.randomUUID());
      const headers = { ...client?.headers, ...(body && { "content-type": "application/json" }) };
      const raw = rawBody ? "x" : body ? "{}" : undefined;
      const init = raw === undefined ? { headers } : { headers, raw };
      const answer = await call<string>(method.toUpperCase(), `${filled}?no_such_parameter=1`, init);
      return {
        operationId,
        status: answer.status,
        named: String(answer.body).includes("no_such_parameter is unknown"),
      };
    };
    const wrong: string[] = [];
    for (const endpoint of served) {
      const answer = await answered(endpoint);
      if (!answer) continue;
      const refused = answer.status === 400 && answer.named;
      if (refused === OPEN.includes(answer.operationId)) wrong.push(`${answer.operationId}: ${answer.status}`);
    }
    expect(wrong).toEqual([]);
    expect(served.filter(({ extraQuery }) => extraQuery).map(({ operationId }) => operationId)).toEqual(
      OPEN.toSorted(asServed),
    );
  });

  const asServed = (a: string, b: string) => indexOf(a) - indexOf(b);
  const indexOf = (name: string) => served.findIndex(({ operationId }) => operationId === name);

  it("unknown query parameters are listed in the error together with the known ones", async () => {
    const { user } = await tenant();
    const list = await user.get("/api/v1/do-not-call?limt=5&page=2&limit=5");
    expect([list.status, list.code]).toEqual([400, "unknown_query_parameter"]);
    expect(list.body).toBe(
      "query parameter limt is unknown; page is unknown; this endpoint takes limit, offset, phone_number",
    );
    const agents = await user.get("/api/v1/agents?limit=5");
    expect(agents.body).toBe("query parameter limit is unknown; this endpoint takes no query parameters");
  });

  it("a repeated query parameter is refused", async () => {
    const { user } = await tenant();
    const answer = await user.get("/api/v1/do-not-call?limit=5&limit=6");
    expect([answer.status, answer.code]).toEqual([400, "repeated_query_parameter"]);
    expect(answer.body).toBe("limit is given more than once; send it once");
  });

  it("query parameters are checked after authentication, even on cached reads", async () => {
    const { user } = await tenant();
    expect((await call("GET", "/api/v1/agents?x=1")).status).toBe(401);
    expect((await user.get("/api/v1/agents")).status).toBe(200);
    expect((await user.get("/api/v1/agents?")).status).toBe(200);
    for (let n = 0; n < 2; n++) expect((await user.get("/api/v1/agents?x=1")).status).toBe(400);
  });

  it("query parameters of static files and public pages are ignored", async () => {
    for (const path of ["/docs?x=1", "/openapi.json?x=1", "/widget.js?v=2"]) {
      expect((await call("GET", path)).status, path).toBeLessThan(400);
    }
  });
});
