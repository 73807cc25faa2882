import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { D1_ENTRIES, D1_TABLES } from "../../../src/account-data/stores.ts";
import type { Cell } from "../../../src/kernel/backup/declared.ts";
import type { RestoredColumn } from "../../../src/kernel/backup/restored-rows.ts";
import { layoutOf, writeAccountRows } from "../../../src/kernel/db/account-copy.ts";
import { ApiError } from "../../../src/kernel/http/errors.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { MAX_RECORDING_BYTES } from "../../../src/phone/carriers/http.ts";
import { MAX_ARCHIVE_BYTES } from "../../../src/records/stores.ts";
import { consoleUser, operator, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { onLedger, putCall } from "../../support/ledger.ts";
import { badCells, goodCell } from "./cells.ts";
import { adminPath, freshKey, give, type Page, restored, type Taken, take } from "./support.ts";

/** The head of a backup, with its members. */
type Signed = Taken["head"] & {
  created_at: string;
  members: { id: string; role: string }[];
  members_signature: string;
};

/** Returns the columns of a table, with the values that the API accepts for them. */
const bordered = (table: string): RestoredColumn[] => layoutOf(D1_TABLES, table).columns;

const fresh = () => `d-${crypto.randomUUID().slice(0, 12)}`;
const copied = D1_ENTRIES.flatMap(([table, declared]) => ("copy" in declared ? [{ table, declared }] : []));

/** Begins to restore a backup; returns a function that restores changed pages of it. */
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

/**
 * Creates an account with one recording, backs it up, and restores the backup up to its files. Returns a function that
 * sends a file.
 */
async function withRecording() {
  const { account } = await tenant();
  const recording = newId();
  const call = await putCall(account, { status: "completed" });
  await onLedger(
    account,
    `INSERT INTO recordings (id, call_id, agent_id, provider_recording_id, content_type, size_bytes, created_at)
     VALUES (?, ?, 'agent', 'r-1', 'audio/wav', 4, '2026-11-28T00:00:00.000Z')`,
    recording,
    call,
  );
  const [taken, as, backup, who] = [await take(account), fresh(), crypto.randomUUID(), await operator()];
  const statuses = await give(who, Object.assign({}, taken, { files: [] }), as, backup);
  expect(new Set(statuses)).toEqual(new Set([200, 204]));
  const file = (bucket: string, name: string, body: string, changed: Record<string, string> = {}) => {
    const headers = { "content-type": "application/octet-stream", "content-length": String(body.length) };
    const path = `${adminPath(as)}/restore/files/${bucket}/${name}?backup=${backup}`;
    return who.send("PUT", path, body, Object.assign(headers, changed));
  };
  return { as, file, recording };
}

describe("restoring a doctored backup", () => {
  it.each(copied)(
    "a restore accepts rows of $table only within its schema and the forced columns",
    async ({ table, declared }) => {
      const columns = bordered(table);
      const forced = new Map(Object.entries(declared.set ?? {}));
      // Secrets are omitted, because their key does not matter here.
      const good = (column: RestoredColumn) =>
        column.name in (declared.sealed ?? {}) && column.isNullable ? null : goodCell(column);
      const judged = async (cell: (column: RestoredColumn) => Cell | undefined) => {
        const named = columns.filter((column) => cell(column) !== undefined);
        const rows = [named.map((column) => cell(column) ?? null)];
        const vault = new Vault(`backup:${freshKey()}`);
        const own = { vault, account: "acme" };
        const vaults = { from: own, to: own };
        const page = { table, columns: named.map(({ name }) => name), rows };
        const writing = { backup: "1", now: "2026-11-28T00:00:00.000Z" };
        return writeAccountRows(D1_TABLES, vaults, page, writing).then(
          ({ params }) => JSON.parse(String(params[1])) as Cell[][],
          (error: unknown) => (error instanceof ApiError ? error.code : "unreadable"),
        );
      };
      for (const one of columns) {
        const except = (cell: Cell | undefined) => judged((column) => (column === one ? cell : good(column)));
        const without = await except(undefined);
        const set = forced.get(one.name);
        if (!one.hasDefault && set === undefined) expect([one.name, without]).toEqual([one.name, "invalid_rows"]);
        else expect([one.name, without]).not.toEqual([one.name, "invalid_rows"]);
        if (set !== undefined) {
          const written = typeof set === "object" && set !== null ? "2026-11-28T00:00:00.000Z" : set;
          if (typeof without !== "string")
            expect([one.name, without[0]]).toEqual([one.name, expect.arrayContaining([written])]);
          continue;
        }
        for (const bad of badCells(one)) expect([one.name, await except(bad)]).toEqual([one.name, "invalid_rows"]);
      }
    },
  );

  it("refuses unknown columns, columns named twice and rows of another length", async () => {
    const { write } = await begun();
    for (const { table } of copied.slice(0, 3)) {
      const columns = bordered(table);
      const [names, cells] = [columns.map(({ name }) => name), columns.map(goodCell)];
      for (const unknown of ["account", "is_admin"])
        expect((await write(table, [...names, unknown], [...cells, "acme"])).code).toBe("newer_release");
      expect((await write(table, [...names, names[0] ?? ""], [...cells, cells[0] ?? null])).code).toBe("invalid_rows");
      expect((await write(table, names, cells.slice(1))).code).toBe("invalid_rows");
    }
  });

  it("refuses rows of tables that are not in backups", async () => {
    const { write } = await begun();
    for (const table of Object.keys(D1_TABLES).filter((name) => !copied.some((one) => one.table === name)))
      expect([table, (await write(table, ["id"], ["1"])).code]).toEqual([table, "unknown_table"]);
  });

  it.each([
    ["days", ["day", "calls"], ["2026-11-28", -1_000_000]],
    ["days", ["day", "calls"], ["2026-11-28", "none"]],
    ["days", ["day"], ["2026-11-28"]],
    ["call_leases", ["call_id"], ["1"]],
    ["budget_pots", ["id"], ["1"]],
    ["sqlite_master", ["name"], ["1"]],
    ["toString", ["name"], ["1"]],
  ] as [string, string[], Cell[]][])(
    "a restore refuses rows of the meter's %s with %j %j",
    async (table, columns, row) => {
      const { write } = await begun();
      expect([400, 409]).toContain((await write(table, columns, row, "meter", 12)).status);
    },
  );

  it("disables API keys even without disabled_at", async () => {
    const { account } = await tenant();
    const taken = await take(account);
    const as = fresh();
    expect(new Set(await restored(withoutColumn(taken, "api_keys", "disabled_at"), as))).toEqual(new Set([200, 204]));
    const keys = env.DB.prepare("SELECT count(*) AS n, count(disabled_at) AS disabled FROM api_keys WHERE account = ?");
    expect(await keys.bind(as).first()).toEqual({ n: 1, disabled: 1 });
  });

  it("ignores the plan, quotas, caps and listing in the file", async () => {
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

  it.each([
    ["claims an account that it is not of", (_: Signed, of: Signed) => ({ name: of.name, created_at: of.created_at })],
    [
      "takes the signature of another",
      (_: Signed, of: Signed) => Object.assign({}, of, { members_signature: _.members_signature }),
    ],
    [
      "raises a role",
      (_: Signed, of: Signed) =>
        Object.assign({}, of, { members: of.members.map(({ id }) => ({ id, role: "owner" })) }),
    ],
    ["has no signature", (_: Signed, of: Signed) => Object.assign({}, of, { members_signature: undefined })],
  ])("a restore brings back no members from a file that %s", async (_, changed) => {
    const [one, another] = [await tenant(), await tenant()];
    const id = crypto.randomUUID();
    await env.DB.prepare(
      "INSERT INTO users (account, id, email, name, password_hash, source, role, created_at) VALUES (?, ?, ?, '', 'hash', 'password', 'builder', '2026-11-01T00:00:00.000Z')",
    )
      .bind(another.account, id, `${id}@example.com`)
      .run();
    const [taken, of] = [await take(one.account), (await take(another.account)).head as Signed];
    const members = [...(taken.head as Signed).members, { id, role: "builder" }];
    const head = Object.assign({}, taken.head, { members }, changed(taken.head as Signed, of));
    const as = fresh();
    expect(new Set(await restored({ head, key: taken.key, pages: [], files: [] }, as))).toEqual(new Set([200, 204]));
    const users = env.DB.prepare("SELECT count(*) AS n FROM users WHERE account = ?").bind(as);
    expect(await users.first()).toEqual({ n: 0 });
  });

  it.each([
    ["ledger/2020-01-01", 12],
    [`campaign/${crypto.randomUUID()}`, 12],
    [`test_run/${crypto.randomUUID()}`, 2],
  ])("a restore refuses pages of %s, which the account does not list", async (store, steps) => {
    const { write } = await begun();
    const { status, code } = await write("outbox", ["destination"], ["d1"], store, steps);
    expect([status, code]).toEqual([409, "not_listed"]);
  });

  it.each([
    ["sign_in_policies", ["session_hours"], [100_000]],
    ["sign_in_policies", ["idle_minutes"], [1]],
    ["privacy_settings", ["audit_days"], [1]],
    ["call_settings", ["ring_timeout_s"], [1_000_000]],
    ["widget_settings", ["logo_url"], ["javascript:alert(1)"]],
    ["do_not_call", ["phone_number", "created_at"], ["12025550143", "2026-11-01T00:00:00.000Z"]],
  ] as [string, string[], Cell[]][])("a restore refuses rows of %s with %j %j, as the API does", async (...row) => {
    const { write } = await begun();
    expect((await write(...row)).code).toBe("invalid_rows");
  });

  it.each(["recordings", "conversations"] as const)(
    "a restore accepts files of %s only for a row of the ledger",
    async (bucket) => {
      const { file, recording } = await withRecording();
      const suffix = bucket === "recordings" ? "" : ".json";
      for (const name of [crypto.randomUUID() + suffix, newId() + suffix, `x${suffix}`])
        expect((await file(bucket, name, "{}")).code).toBe("file_not_listed");
      if (bucket === "recordings") expect((await file(bucket, recording, "{}")).status).toBe(204);
    },
  );

  it("refuses files that are too large or compressed before they are read", async () => {
    const { file, recording } = await withRecording();
    const large = await file("recordings", recording, "x", { "content-length": String(MAX_RECORDING_BYTES + 1) });
    expect([large.status, large.code]).toEqual([413, "body_too_large"]);
    const archive = await file("conversations", `${recording}.json`, "x", {
      "content-length": String(MAX_ARCHIVE_BYTES + 1),
    });
    expect([archive.status, archive.code]).toEqual([413, "body_too_large"]);
    const packed = await file("recordings", recording, "xxxx", { "content-encoding": "gzip" });
    expect([packed.status, packed.code]).toEqual([415, "unsupported_content_encoding"]);
  });

  it("never serves a recording as a page, even if it claims to be one", async () => {
    const { as, file, recording } = await withRecording();
    expect((await file("recordings", recording, "<p/>", { "x-content-type": "text/html" })).status).toBe(204);
    expect((await env.RECORDINGS.head(`${as}/${recording}`))?.httpMetadata?.contentType).toBe(
      "application/octet-stream",
    );
  });
});

/** Removes a column from the backup, so that the restored column has its default. */
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
