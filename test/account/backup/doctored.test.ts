import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Cell } from "../../../src/kernel/backup/declared.ts";
import type { RestoredColumn } from "../../../src/kernel/backup/restored-rows.ts";
import { layoutOf } from "../../../src/kernel/db/account-copy.ts";
import { D1_BACKUP } from "../../../src/kernel/db/backup-data.ts";
import { consoleUser, operator, tenant } from "../../support/client.ts";
import { adminPath, give, type Page, restored, type Taken, take } from "./support.ts";

const fresh = () => `d-${crypto.randomUUID().slice(0, 12)}`;
const copied = Object.entries(D1_BACKUP).flatMap(([table, declared]) =>
  "copy" in declared ? [{ table, declared }] : [],
);

/** A backup that begins to be restored, and a way to restore pages of it that somebody has changed. */
async function begun() {
  const { account } = await tenant();
  const [taken, as, backup, who] = [await take(account), fresh(), crypto.randomUUID(), await operator()];
  await give(who, Object.assign({}, taken, { pages: [], files: [] }), as, backup);
  const write = (table: string, columns: string[], row: Cell[], store = "d1", steps = 0) =>
    who.put(`${adminPath(as)}/restore/pages`, {
      backup,
      key: taken.key,
      source: account,
      store,
      steps,
      tables: [{ table, columns, rows: [row] }],
      last: true,
    });
  return { account, as, taken, write };
}

/** A cell that the column can hold. */
function cellOf({ name, type, values, json }: RestoredColumn): Cell {
  if (values) return values[0] ?? null;
  if (type !== "text") return 1;
  if (json) return json === "list" ? "[]" : "{}";
  return name === "at" || name.endsWith("_at") ? "2026-11-01T00:00:00.000Z" : crypto.randomUUID();
}

describe("a doctored backup: security", () => {
  it.each(copied)(
    "rows of $table are taken only as its schema and the forced columns say",
    async ({ table, declared }) => {
      const { as, write } = await begun();
      const { columns } = layoutOf(table);
      const forced = new Map(Object.entries(declared.set ?? {}));
      const isSealed = (name: string) => name in (declared.sealed ?? {});
      const row = (change: (column: RestoredColumn) => Cell | undefined) => {
        const named = columns.filter((column) => change(column) !== undefined);
        return [named.map(({ name }) => name), named.map((column) => change(column) ?? null)] as const;
      };
      // What the secrets are sealed under does not matter here.
      const good = (column: RestoredColumn) => (isSealed(column.name) && column.isNullable ? null : cellOf(column));
      for (const one of columns) {
        const without = await write(table, ...row((column) => (column === one ? undefined : good(column))));
        const isForced = forced.has(one.name);
        if (!one.hasDefault && !isForced) expect([one.name, without.code]).toEqual([one.name, "invalid_rows"]);
        else expect([one.name, without.code]).not.toEqual([one.name, "invalid_rows"]);
        if (isForced && without.status === 204) {
          const set = forced.get(one.name);
          const found = await env.DB.prepare(`SELECT "${one.name}" AS cell FROM ${table} WHERE account = ?`)
            .bind(as)
            .all();
          for (const { cell } of found.results)
            expect([one.name, cell]).toEqual([
              one.name,
              typeof set === "object" && set !== null ? expect.any(String) : set,
            ]);
        }
        if (isForced) continue;
        const wrong = one.type === "text" ? 7 : "seven";
        const changed = await write(table, ...row((column) => (column === one ? wrong : good(column))));
        expect([one.name, changed.code]).toEqual([one.name, "invalid_rows"]);
        if (one.type === "integer" && !one.isSigned) {
          const negative = await write(table, ...row((column) => (column === one ? -1 : good(column))));
          expect([one.name, negative.code]).toEqual([one.name, "invalid_rows"]);
        }
      }
      const [names, cells] = row(good);
      for (const unknown of ["account", "is_admin"])
        expect((await write(table, [...names, unknown], [...cells, "acme"])).code).toBe("newer_release");
      const twice = await write(table, [...names, names[0] ?? ""], [...cells, cells[0] ?? null]);
      expect(twice.code).toBe("invalid_rows");
      expect((await write(table, names, cells.slice(1))).code).toBe("invalid_rows");
    },
  );

  it.each(Object.keys(D1_BACKUP).filter((table) => !copied.some((one) => one.table === table)))(
    "rows of %s are refused",
    async (table) => {
      expect((await (await begun()).write(table, ["id"], ["1"])).code).toBe("unknown_table");
    },
  );

  it.each([
    ["days", ["day", "calls"], ["2026-11-28", -1_000_000]],
    ["days", ["day", "calls"], ["2026-11-28", "none"]],
    ["days", ["day"], ["2026-11-28"]],
    ["call_leases", ["call_id"], ["1"]],
    ["budget_pots", ["id"], ["1"]],
    ["sqlite_master", ["name"], ["1"]],
    ["toString", ["name"], ["1"]],
  ] as [string, string[], Cell[]][])("rows of the meter's %s with %j %j are refused", async (table, columns, row) => {
    const { write } = await begun();
    expect([400, 409]).toContain((await write(table, columns, row, "meter", 12)).status);
  });

  it("API keys without disabled_at are restored as disabled", async () => {
    const { account } = await tenant();
    const taken = await take(account);
    const as = fresh();
    expect(new Set(await restored(withoutColumn(taken, "api_keys", "disabled_at"), as))).toEqual(new Set([200, 204]));
    const keys = env.DB.prepare("SELECT count(*) AS n, count(disabled_at) AS disabled FROM api_keys WHERE account = ?");
    expect(await keys.bind(as).first()).toEqual({ n: 1, disabled: 1 });
  });

  it("the file decides neither plan nor quotas nor caps nor whether the account is listed", async () => {
    const { account } = await tenant();
    const taken = await take(account);
    const own = { plan: "scale", listed: true, quotas: { agents: 1e9 }, cap_concurrent_calls: 9_999 };
    const as = fresh();
    await restored(Object.assign({}, taken, { head: Object.assign({}, taken.head, own) }), as);
    const row = "SELECT plan, listed, quotas, cap_concurrent_calls FROM accounts WHERE name = ?";
    expect(await env.DB.prepare(row).bind(as).first()).toEqual({
      plan: "starter",
      listed: 0,
      quotas: "{}",
      cap_concurrent_calls: null,
    });
    expect((await (await consoleUser(as)).get<{ plan: string }>("/api/v1/quotas")).body.plan).toBe("starter");
  });

  it("a recording that claims to be a page is never served as one", async () => {
    const { account, as, taken } = await begun();
    const [who, id] = [await operator(), crypto.randomUUID()];
    expect(account).not.toBe(as);
    const backup = await env.DB.prepare("SELECT backup FROM restores WHERE account = ?")
      .bind(as)
      .first<string>("backup");
    const headers = {
      "content-type": "application/octet-stream",
      "content-length": "4",
      "x-content-type": "text/html",
    };
    const path = `${adminPath(as)}/restore/files/recordings/${id}?backup=${backup}`;
    expect((await who.send("PUT", path, "<p/>", headers)).status).toBe(204);
    expect((await env.RECORDINGS.head(`${as}/${id}`))?.httpMetadata?.contentType).toBe("application/octet-stream");
    expect(taken.files).toEqual([]);
  });
});

/** The backup as somebody has changed it who wants a column to keep its default. */
function withoutColumn(taken: Taken, table: string, column: string): Taken {
  const pages = taken.pages.map((page): Page => {
    const tables = page.tables.map((one) => {
      const at = one.table === table ? one.columns.indexOf(column) : -1;
      if (at === -1) return one;
      const rows = one.rows.map((row) => row.toSpliced(at, 1));
      return { table, columns: one.columns.toSpliced(at, 1), rows };
    });
    return Object.assign({}, page, { tables });
  });
  return Object.assign({}, taken, { pages });
}
