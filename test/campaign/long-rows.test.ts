import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { LIST_FORM } from "../../src/campaign/import/list-form.ts";
import { doNotCall } from "../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import { readForm, UploadTooLarge } from "../../src/kernel/http/multipart.ts";
import { tenant } from "../support/client.ts";
import { upload } from "./support.ts";

interface Page {
  contacts: { id: string; phone_number: string; variables: { note: string } }[];
  total: number;
  limit: number;
  offset: number;
}

/** Returns national numbers, each with a long note. */
const list = (rows: number, note: (i: number) => string, country = "") =>
  `phone_number,note\n${Array.from({ length: rows }, (_, i) => `${country}303555${1_000 + i},${note(i)}\n`).join("")}`;

describe("long rows", () => {
  it("long rows are imported with a default_country sent after the file", async () => {
    const { server } = await tenant();
    const { status, body } = await upload(
      server,
      list(5_000, () => "n".repeat(1_700)),
      { default_country: "US" },
    );
    expect([status, body.import]).toMatchObject([201, { accepted: 5_000, rejected: 0, duplicates: 0 }]);
    const { contacts } = (await server.get<Page>(`/api/v1/campaigns/${body.id}/contacts?limit=1&offset=4999`)).body;
    expect(contacts).toMatchObject([{ phone_number: "+13035555999", variables: { note: "n".repeat(1_700) } }]);
  });

  it("long rows are rejected one by one and all exported", async () => {
    const { server } = await tenant();
    const csv = `${list(1, () => "good", "+1")}${list(2_000, () => "n".repeat(1_700)).slice("phone_number,note\n".length)}`;
    const { status, body } = await upload(server, csv, { on_invalid: "skip" });
    expect([status, body.import]).toEqual([201, { accepted: 1, rejected: 2_000, duplicates: 0, assumed: [] }]);
    const rejects = await server.get<string>(`/api/v1/campaigns/${body.id}/rejects`);
    expect(rejects.body.match(/^303555\d{4},n{1700},\d+,"/gm)).toHaveLength(2_000);
  });

  it("long rows are listed a thousand at a time without loss", async () => {
    const { server } = await tenant();
    const note = (i: number) => `${i}:`.padEnd(40_000, "ü");
    const { body } = await upload(server, list(1_001, note, "+1"));
    const path = `/api/v1/campaigns/${body.id}/contacts`;
    for (const query of ["limit=1000", "limit=1000&status=pending&offset=1"]) {
      const answer = await server.get<Page>(`${path}?${query}`);
      expect(answer.status).toBe(200);
      const from = query.includes("offset") ? 1 : 0;
      expect(answer.body).toMatchObject({ total: 1_001, limit: 1_000, offset: from });
      expect(answer.body.contacts.map(({ phone_number }) => phone_number)).toEqual(
        Array.from({ length: 1_000 }, (_, i) => `+1303555${1_000 + from + i}`),
      );
      expect(answer.body.contacts.every(({ variables }, i) => variables.note === note(from + i))).toBe(true);
    }
    const [first] = (await server.get<Page>(`${path}?limit=1`)).body.contacts;
    const rest = await server.get<Page>(`${path}?limit=1000&after=${first?.id}`);
    expect(rest.body.contacts).toHaveLength(1_000);
    const csv = (await server.get<string>(`/api/v1/campaigns/${body.id}/export`)).body;
    expect(csv.match(/\+1303555\d{4}/g)).toHaveLength(1_001);
  });
});

describe("the file of an upload", () => {
  const read = (bytes: number) => {
    const chunk = new Uint8Array(1_000_000).fill("x".charCodeAt(0));
    const head = 'content-disposition: form-data; name="contacts"; filename="contacts.csv"';
    let left = bytes;
    const body = new ReadableStream({
      type: "bytes",
      start: (controller) => controller.enqueue(new TextEncoder().encode(`--b\r\n${head}\r\n\r\n`)),
      pull(controller) {
        if (left === 0) {
          controller.enqueue(new TextEncoder().encode("\r\n--b--\r\n"));
          return controller.close();
        }
        const next = chunk.slice(0, Math.min(left, chunk.length));
        left -= next.length;
        controller.enqueue(next);
      },
    });
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const request = new Request("https://x.test", { method: "POST", headers, body });
    return readForm(request, LIST_FORM, { field: () => {}, chunk: () => {} });
  };

  it("may have at most 100,000,000 bytes", async () => {
    await read(100_000_000);
    await expect(read(100_000_001)).rejects.toThrow(UploadTooLarge);
  });
});

describe("many rows for D1 at once", () => {
  it("take a few statements in one batch, with one audit entry if any row changes", async () => {
    const { account, server } = await tenant();
    const store = accountStore(env, account, { actor: "test", request_id: "test" });
    const at = new Date(0).toISOString();
    const put = (from: number, n: number) =>
      store.write(
        { action: "create", resource: "do_not_call", resource_id: `${from}` },
        store.upsertMany(
          doNotCall,
          Array.from({ length: n }, (_, i) => ({
            phone_number: `+1303${5_000_000 + from + i}`,
            reason: "r".repeat(1_000),
            created_at: at,
          })),
          { target: [doNotCall.account, doNotCall.phone_number], columns: ["reason"], when: sql`false` },
        ),
      );
    const changes = async (from: number, n: number) => (await put(from, n))[0].meta.changes;
    expect([await changes(0, 9_000), await changes(0, 9_000), await changes(1_000, 9_000)]).toEqual([9_000, 0, 1_000]);
    const { body } = await server.get<{ entries: { resource: string; resource_id: string }[] }>("/api/v1/audit-log");
    const ours = body.entries
      .filter(({ resource }) => resource === "do_not_call")
      .map(({ resource_id }) => resource_id);
    expect(ours).toEqual(["1000", "0"]);
  });

  it("many numbers are added to the do-not-call list with a long reason", async () => {
    const { server } = await tenant();
    const numbers = Array.from({ length: 10_000 }, (_, i) => `+1303${5_000_000 + i}`);
    const answer = await server.post("/api/v1/do-not-call", { numbers, reason: "€".repeat(500) });
    expect([answer.status, answer.body]).toEqual([201, { added: 10_000 }]);
  });
});
