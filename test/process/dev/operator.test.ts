import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { runCommand } from "../backup/commands.ts";
import { freshFetch, Service } from "../campaigns/service.ts";

let service: Service;

beforeAll(async () => {
  service = await Service.prepare({});
  await service.start();
}, 120_000);

afterAll(() => service?.remove(), 60_000);

describe("npm run operator", () => {
  it("creates an operator of the service whose state is in STATE_DIR", async () => {
    const email = "ada@switchboard.example";
    const made = await runCommand("operator.ts", ["--email", email], { STATE_DIR: service.stateDir });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const password = /password: (\S+)/.exec(made.stdout)?.[1] ?? "";
    const operator = await new ApiClient(service.url, freshFetch).signIn({ account: "service-admin", email }, password);
    expect(await operator.get<{ accounts: unknown[] }>("/api/admin/v1/accounts")).toMatchObject({ total: 0 });
  });

  it("reports an invalid address in one sentence", async () => {
    const refused = await runCommand("operator.ts", ["--email", "nobody"], { STATE_DIR: service.stateDir });
    expect(refused).toEqual({ code: 1, stdout: "", stderr: "operator: nobody is no email address\n" });
  });
});
