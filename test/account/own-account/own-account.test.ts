import { describe, expect, it } from "vitest";
import { Client, operator, tenant } from "../../support/client.ts";
import { latest, log } from "../audit-log/support.ts";

const PATH = "/api/v1/account";

interface OwnAccount {
  name: string;
  display_name: string;
  timezone: string | null;
}

describe("the account's own settings", () => {
  it("an account's own settings are its names and no time zone until they are changed", async () => {
    const { server, user, account } = await tenant({ display_name: "Acme Ltd" });
    const before = { name: account, display_name: "Acme Ltd", timezone: null };
    expect((await server.get(PATH)).body).toEqual(before);
    const changed = await user.patch(PATH, { timezone: "europe/vienna" });
    expect([changed.status, changed.body]).toEqual([200, { ...before, timezone: "Europe/Vienna" }]);
    const renamed = await server.patch(PATH, { display_name: "  Acme Dental " });
    expect(renamed.body).toEqual({ ...before, display_name: "Acme Dental", timezone: "Europe/Vienna" });
    expect((await server.patch(PATH, { timezone: null })).body).toMatchObject({ timezone: null });
    expect(await latest(user)).toEqual(["update", "account", { timezone: null }]);
  });

  it.each([
    ["an empty name", { display_name: "  " }],
    ["81 characters", { display_name: "x".repeat(81) }],
    ["a line break", { display_name: "Acme\nBcc: x" }],
    ["a line separator", { display_name: "Acme\u2028x" }],
    ["a control character", { display_name: "Acme\u0007" }],
    ["an override of direction", { display_name: "Acme \u202Egnp.exe" }],
    ["an isolate of direction", { display_name: "\u2066Acme" }],
    ["a mark of direction", { display_name: "Acme\u200F" }],
    ["half a character", { display_name: "Acme \uD83D" }],
    ["null for a name", { display_name: null }],
    ["a time zone that does not exist", { timezone: "Mars/Olympus" }],
    ["an offset for a time zone", { timezone: "+02:00" }],
    ["no text for a time zone", { timezone: 2 }],
  ])("the account's own settings refuse %s and stay unchanged", async (_, body) => {
    const { server } = await tenant();
    const { body: before } = await server.get(PATH);
    const answer = await server.patch<string>(PATH, body);
    expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(/^(display_name|timezone): /)]);
    expect((await server.get(PATH)).body).toEqual(before);
  });

  it("take names in any script, with 80 characters", async () => {
    const { server } = await tenant();
    for (const display_name of ["Żółć & Söhne <Wien>", "株式会社アクメ", "שלום", "👩‍⚕️ Praxis", "x".repeat(80)])
      expect((await server.patch(PATH, { display_name })).body).toMatchObject({ display_name });
  });

  it("writing an account's settings back as they were read changes nothing", async () => {
    const { server, user } = await tenant();
    await server.patch(PATH, { timezone: "Europe/Vienna" });
    const read = await server.get<OwnAccount>(PATH);
    const entries = (await log(user)).length;
    const written = await server.patch(PATH, { ...read.body });
    expect([written.status, written.body]).toEqual([200, read.body]);
    expect(written.headers.get("etag")).toBe(read.headers.get("etag"));
    expect(await log(user)).toHaveLength(entries);
  });

  it("an operator who renames the account changes the settings' revision", async () => {
    const { server, account } = await tenant();
    const tag = (await server.get(PATH)).headers.get("etag") ?? "";
    await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { display_name: "Renamed" });
    const headers = { "if-match": tag, "content-type": "application/json" };
    const stale = await server.send("PATCH", PATH, JSON.stringify({ timezone: "UTC" }), headers);
    expect([stale.status, stale.code]).toEqual([412, "changed_meanwhile"]);
    expect((await server.get(PATH)).body).toMatchObject({ display_name: "Renamed", timezone: null });
  });

  it("can be read with `read`, and changed with `manage` alone", async () => {
    const { user } = await tenant();
    const keyOf = async (scopes: string[]) => {
      const { body } = await user.post<{ key: string }>("/api/v1/api-keys", { name: "k", scopes });
      return new Client({ authorization: `Bearer ${body.key}` });
    };
    const [reader, manager] = [await keyOf(["read", "build", "dial"]), await keyOf(["read", "manage"])];
    expect((await reader.get(PATH)).status).toBe(200);
    expect((await reader.patch(PATH, { timezone: "UTC" })).status).toBe(403);
    expect((await manager.patch(PATH, { timezone: "UTC" })).status).toBe(200);
  });
});

describe("an operator's name for an account", () => {
  it("follows the same rule as the account's own", async () => {
    const { account } = await tenant();
    const admin = await operator();
    for (const display_name of ["a\nb", "\u202Ex", "x".repeat(81)]) {
      expect((await admin.patch(`/api/admin/v1/accounts/${account}`, { display_name })).status).toBe(400);
      expect((await admin.post("/api/admin/v1/accounts", { name: "never-made", display_name })).status).toBe(400);
    }
  });
});
