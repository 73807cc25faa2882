import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { held } from "../../records/conversations/support.ts";
import type { Client } from "../../support/client.ts";
import { onLedger } from "../../support/ledger.ts";
import { caller, isOver, originate, settled } from "./support.ts";

const PATH = "/api/v1/calls/export";
const rowsOf = async (client: Client, query = "") => {
  const { status, body } = await client.get<string>(`${PATH}${query}`);
  expect(status).toBe(200);
  return Papa.parse<Record<string, string>>(body, { header: true, skipEmptyLines: true }).data;
};

describe("the CSV export of calls", () => {
  it("the CSV export contains the calls that match the list's filters, newest first", async () => {
    const who = await caller();
    const [busy, other] = [await originate(who, "+13035550101"), await originate(who, "+13035550201")];
    for (const { body } of [busy, other]) await settled(who.server, body.call_id, isOver);
    const conversation_id = await held(who, { call_id: other.body.call_id });
    const all = await rowsOf(who.server);
    expect(all[0]).toMatchObject({ to_number: "+13035550201", conversation_id });
    expect(all.map(({ call_id }) => call_id)).toEqual([other.body.call_id, busy.body.call_id]);
    expect(all[1]).toMatchObject({
      to_number: "+13035550101",
      direction: "outbound",
      status: "busy",
      end_reason: "busy",
      conversation_id: "",
    });
    expect((await rowsOf(who.server, "?phone_number=%2B13035550101")).map(({ call_id }) => call_id)).toEqual([
      busy.body.call_id,
    ]);
    expect(await rowsOf(who.server, "?status=completed")).toEqual([]);
    const { body } = await who.server.get<{ entries: unknown[] }>("/api/v1/audit-log?action=export_calls");
    expect(body.entries).toHaveLength(3);
    expect(body.entries).toMatchObject([{ resource: "account", resource_id: who.account }, {}, {}]);
  });

  it("the CSV export streams each call exactly once, even within one number", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550101")).body;
    await settled(who.server, call_id, isOver);
    const [row = {}] = await onLedger(who.account, "SELECT * FROM calls WHERE id = ?", call_id);
    const names = Object.keys(row);
    const values = names.map((name) => (name === "id" ? "substr(id, 1, 24) || printf('%012x', value)" : name));
    // Enough calls with one creation time to fill three pages.
    await onLedger(
      who.account,
      `INSERT INTO calls (${names.join(", ")}) SELECT ${values.join(", ")} FROM calls, (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2100) SELECT value FROM n) WHERE id = ?`,
      call_id,
    );
    for (const query of ["", "?phone_number=%2B13035550101"]) {
      const ids = (await rowsOf(who.server, query)).map(({ call_id }) => call_id);
      expect([ids.length, new Set(ids).size]).toEqual([2_101, 2_101]);
    }
  });
});

describe("the CSV export of calls and other accounts", () => {
  it("the CSV export contains no call of another account", async () => {
    const [who, other] = [await caller(), await caller()];
    await originate(who, "+13035550101");
    expect(await rowsOf(other.server)).toEqual([]);
  });
});

describe("invalid requests for the CSV export of calls", () => {
  it("the CSV export refuses filters that the list does not have", async () => {
    const { server } = await caller();
    expect((await server.get(`${PATH}?limit=5`)).status).toBe(400);
    expect((await server.get(`${PATH}?status=nonsense`)).status).toBe(400);
  });
});
