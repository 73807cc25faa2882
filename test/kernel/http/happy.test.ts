import { describe, expect, it } from "vitest";
import { call, tenant } from "../../support/client.ts";

describe("aliases", () => {
  it.each(["/api/v1/agents", "/v1/agents", "/hub-api/api/v1/agents", "/hub-api/v1/agents"])(
    "serve %s",
    async (path) => {
      const { server } = await tenant();
      const created = await server.post(path, { name: "Ada" });
      expect(created.status).toBe(201);
      expect((await server.get(path)).body).toEqual([created.body]);
    },
  );

  it("include the legacy prefix for accounts and login", async () => {
    expect((await call("GET", "/hub-api/api/accounts")).status).toBe(200);
    expect((await call("GET", "/hub-api/api/accounts/validate/acme")).status).toBe(200);
    expect((await call("POST", "/hub-api/api/login", { body: {} })).code).toBe("invalid_request");
  });

  it.each(["/", "/api/v1", "/v1", "/hub-api", "/hub-api/v1", "/hub-api/api/v1"])(
    "answer at their root, with or without a slash: %s",
    async (path) => {
      expect((await call("GET", path)).body).toMatchObject({ name: "Switchboard" });
      if (path === "/") return;
      const slash = await call("GET", `${path}/`);
      if (slash.status === 308) expect(slash.headers.get("location")).toBe(path);
      else expect(slash.body).toMatchObject({ name: "Switchboard" });
    },
  );

  it("cannot be combined in one path", async () => {
    for (const path of ["/hub-api/hub-api/v1/agents", "/api/api/v1/agents", "/v1/v1/agents", "/hub-apiv1/agents"]) {
      expect((await call("GET", path)).status).toBe(404);
    }
  });
});
