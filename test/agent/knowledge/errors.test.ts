import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";
import { addText, newAgent, readyText, search, settled, upload } from "./support.ts";

describe("a document that cannot be accepted", () => {
  it.each([
    ["a file of another type", "photo.png", "unsupported_type"],
    ["a file without an ending", "photo", "unsupported_type"],
  ])("%s is refused", async (_, name, code) => {
    const { server } = await tenant();
    const answer = await upload(server, name, "text");
    expect([answer.status, answer.code]).toEqual([400, code]);
  });

  it("an empty file is refused", async () => {
    const { server } = await tenant();
    expect(await upload(server, "empty.txt", "")).toMatchObject({ status: 400 });
  });

  it("a file larger than 20 MB is refused", async () => {
    const { server } = await tenant();
    const answer = await upload(server, "large.txt", new Uint8Array(20_000_001));
    expect([answer.status, answer.code]).toEqual([413, "body_too_large"]);
  });

  it("a text without words is refused", async () => {
    const { server } = await tenant();
    expect(await server.post("/api/v1/knowledge", { title: "Nothing", text: " \n" })).toMatchObject({ status: 400 });
  });

  it("a text may have at most 500,000 characters of any script", async () => {
    const { server } = await tenant();
    const text = "営業中。".repeat(125_000);
    expect(await server.post("/api/v1/knowledge", { title: "Long", text })).toMatchObject({ status: 202 });
    const longer = await server.post("/api/v1/knowledge", { title: "Longer", text: `${text}。` });
    expect(longer).toMatchObject({ status: 400, body: expect.stringContaining("at most 500000 characters") });
  });

  it("an unknown field is named, and refused under strict handling", async () => {
    const { server } = await tenant();
    const body = { title: "Hours", text: "Open.", titel: "x" };
    const named = await server.post("/api/v1/knowledge", body);
    expect(named.headers.get("ignored-fields")).toBe("titel");
    const strict = await server.send("POST", "/api/v1/knowledge", JSON.stringify(body), {
      "content-type": "application/json",
      prefer: "handling=strict",
    });
    expect(strict).toMatchObject({ status: 400, code: "unknown_fields" });
  });

  it("one document too many is refused, and leaves no original", async () => {
    const { server, account } = await tenant({ quotas: { documents: 1 } });
    await addText(server, "One", "Open.");
    const { status, code } = await server.post("/api/v1/knowledge", { title: "Two", text: "Closed." });
    expect([status, code]).toEqual([403, "quota_exceeded"]);
    expect((await env.DOCUMENTS.list({ prefix: `${account}/` })).objects).toHaveLength(1);
  });

  it("more bytes than the quota are refused", async () => {
    const { server } = await tenant({ quotas: { knowledge_bytes: 10 } });
    const { status, code } = await server.post("/api/v1/knowledge", { title: "Two", text: "Open on Mondays." });
    expect([status, code]).toEqual([403, "quota_exceeded"]);
  });
});

describe("a document whose last day is before its first", () => {
  const days = { effective_from: "2026-12-02", effective_until: "2026-12-01" };
  const refused = { status: 400, body: expect.stringContaining("`effective_until` must not be before") };

  it.each([
    ["a text", { title: "Hours", text: "Open." }],
    ["an address", { url: "https://www.example.com/help" }],
  ])("%s is refused", async (_, body) => {
    const { server } = await tenant();
    expect(await server.post("/api/v1/knowledge", Object.assign({}, body, days))).toMatchObject(refused);
    expect((await server.get("/api/v1/knowledge")).body).toMatchObject({ total: 0 });
  });

  it("a file is refused, and one of a single day is accepted", async () => {
    const { server, account } = await tenant();
    expect(await upload(server, "hours.txt", "Open.", days)).toMatchObject(refused);
    expect((await env.DOCUMENTS.list({ prefix: `${account}/` })).objects).toEqual([]);
    const one = await upload(server, "hours.txt", "Open.", Object.assign({}, days, { effective_from: "2026-12-01" }));
    expect(one.status).toBe(202);
  });

  it("a change is refused against the other day as it is stored when it is written", async () => {
    const { server } = await tenant();
    const { id } = await addText(server, "Hours", "Open.");
    const path = `/api/v1/knowledge/${id}`;
    expect(await server.patch(path, days)).toMatchObject(refused);
    expect((await server.patch(path, { effective_until: "2026-12-05" })).status).toBe(200);
    const late = await server.send("PATCH", path, JSON.stringify({ effective_from: "2026-12-06" }), {
      "content-type": "application/json",
      accept: "application/problem+json",
    });
    expect(late.body).toMatchObject({ status: 400, errors: [{ field: "effective_from", code: "invalid" }] });
    const both = await Promise.all([
      server.patch(path, { effective_from: "2026-12-04" }),
      server.patch(path, { effective_until: "2026-12-03" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await server.patch(path, { effective_until: null, effective_from: "2027-01-01" })).status).toBe(200);
    expect((await server.patch("/api/v1/knowledge/019aa5c2-0e77-7000-8000-000000000000", days)).status).toBe(404);
  });

  it("an older document that already is so is changed and sent back as it was read", async () => {
    const { server } = await tenant();
    const { id } = await addText(server, "Hours", "Open.");
    await env.DB.prepare("UPDATE documents SET effective_from = ?, effective_until = ? WHERE id = ?")
      .bind(days.effective_from, days.effective_until, id)
      .run();
    const path = `/api/v1/knowledge/${id}`;
    const read = await server.get<Record<string, unknown>>(path);
    expect((await server.patch(path, read.body)).status).toBe(200);
    expect((await server.get(path)).headers.get("etag")).toBe(read.headers.get("etag"));
    expect((await server.patch(path, { title: "Opening hours" })).status).toBe(200);
    expect((await server.patch(path, { effective_from: "2026-12-03" })).status).toBe(400);
  });
});

describe("a document that cannot be read", () => {
  it("fails with the reason, which an event reports", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, "blank.txt", " \n \n");
    expect(await settled(server, body.id)).toMatchObject({ status: "failed", reason: "no_text", chunks: 0 });
    const { body: events } = await server.get("/api/v1/events?types=document.failed");
    expect(events).toMatchObject({ events: [{ data: { document_id: body.id, reason: "no_text" } }] });
  });

  it("fails if it has more passages than the quota allows", async () => {
    const { server } = await tenant({ quotas: { knowledge_chunks: 1 } });
    const { id } = await addText(server, "Long", "We are open on Mondays. ".repeat(200));
    expect(await settled(server, id)).toMatchObject({ status: "failed", reason: "too_many_chunks" });
  });

  it("keeps its text if a refresh fails", async () => {
    const { server, account } = await tenant();
    const { id } = await readyText(server, "Hours", "We are open on Mondays.");
    await env.DOCUMENTS.delete(`${account}/${id}`);
    await server.post(`/api/v1/knowledge/${id}/refresh`);
    expect(await settled(server, id)).toMatchObject({ status: "failed", reason: "original_missing", chunks: 1 });
    expect(await search(server, "mondays")).toHaveLength(1);
  });
});

describe("attaching a document", () => {
  it("attaching documents to the prompt beyond 8,000 characters together is refused", async () => {
    const { server } = await tenant();
    const agent = await newAgent(server);
    const attach = async (characters: number) => {
      const { id } = await readyText(server, `Of ${characters}`, "a ".repeat(characters / 2).trim());
      return server.post(`/api/v1/agents/${agent}/knowledge`, { document_id: id, mode: "prompt" });
    };
    expect((await attach(5_000)).status).toBe(200);
    const { status, code } = await attach(4_000);
    expect([status, code]).toEqual([400, "too_large"]);
    expect((await attach(2_000)).status).toBe(200);
  });

  it("attaching a document that does not exist answers 404", async () => {
    const { server } = await tenant();
    const document_id = crypto.randomUUID();
    const agent = await newAgent(server);
    expect(await server.post(`/api/v1/agents/${agent}/knowledge`, { document_id })).toMatchObject({ status: 404 });
  });
});

describe("changing a document", () => {
  it("changing a document that someone else changed since it was read is refused", async () => {
    const { server } = await tenant();
    const { id } = await addText(server, "Hours", "Open.");
    const { headers } = await server.get(`/api/v1/knowledge/${id}`);
    await server.patch(`/api/v1/knowledge/${id}`, { title: "New hours" });
    const path = `/api/v1/knowledge/${id}`;
    const etag = headers.get("etag") ?? "";
    const answer = await server.send("PATCH", path, JSON.stringify({ title: "Mine" }), {
      "content-type": "application/json",
      "if-match": etag,
    });
    expect([answer.status, answer.code]).toEqual([412, "changed_meanwhile"]);
  });

  it("changing a document's title to that of one with the same content is refused", async () => {
    const { server } = await tenant();
    await addText(server, "Hours", "Open.");
    const { id } = await addText(server, "Other hours", "Open.");
    const { status, code } = await server.patch(`/api/v1/knowledge/${id}`, { title: "Hours" });
    expect([status, code]).toEqual([400, "duplicate_document"]);
  });
});
