import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";
import { addText, type DocumentBody, newAgent, readyText, search, settled, upload } from "./support.ts";

const HOURS = "We are open from Monday to Friday, nine to five. On Saturdays we close at noon.";

describe("a document", () => {
  it("a document is found by its words once it is ready", async () => {
    const { server } = await tenant();
    const document = await addText(server, "Opening hours", HOURS);
    expect(document).toMatchObject({ title: "Opening hours", source: "text", used_by: [] });
    const ready = await settled(server, document.id);
    expect(ready).toMatchObject({ status: "ready", reason: null, chunks: 1 });
    expect(ready.refreshed_at).not.toBeNull();
    await readyText(server, "Parking", "There is a car park behind the house.");
    expect(await search(server, "When do you close on Saturdays?")).toMatchObject([
      { document_id: document.id, faq_id: null, playbook_id: null, title: "Opening hours", chunk: 0, text: HOURS },
    ]);
  });

  it("can be a file, with its name as the title", async () => {
    const { server } = await tenant();
    const { status, body } = await upload(server, "Öffnungszeiten 2026 – план.md", `# Hours\n\n${HOURS}\n`);
    expect([status, body.title, body.source]).toEqual([202, "Öffnungszeiten 2026 – план", "file"]);
    expect(await settled(server, body.id)).toMatchObject({ status: "ready" });
    expect((await search(server, "saturdays"))[0]).toMatchObject({ document_id: body.id });
    const original = await server.get<string>(`/api/v1/knowledge/${body.id}/original`);
    expect(original.body).toBe(`# Hours\n\n${HOURS}\n`);
    expect(original.headers.get("content-disposition")).toMatch(/^attachment;.*%D0%BF%D0%BB%D0%B0%D0%BD\.md$/);
  });

  it("the same content under the same title returns the existing document", async () => {
    const { server } = await tenant();
    const first = await addText(server, "Hours", HOURS);
    expect(await addText(server, "Hours", HOURS)).toMatchObject({ id: first.id });
    expect(await addText(server, "Other hours", HOURS)).not.toMatchObject({ id: first.id });
    const { body } = await server.get<{ documents: DocumentBody[]; total: number }>("/api/v1/knowledge");
    expect([body.total, body.documents.map(({ title }) => title)]).toEqual([2, ["Other hours", "Hours"]]);
  });

  it("a document's text is available in parts and in passages", async () => {
    const { server } = await tenant();
    const text = `# Hours\n\n${HOURS}\n\n# Parking\n\n${"There is a car park behind the house. ".repeat(120)}`;
    const { id, chunks } = await readyText(server, "House", text);
    expect(chunks).toBeGreaterThan(1);
    const parts = (await server.get<{ parts: { text: string }[] }>(`/api/v1/knowledge/${id}/content`)).body.parts;
    const whole = parts.map((part) => part.text).join("\n");
    expect(whole).toContain(HOURS);
    expect(whole.match(/car park/g)).toHaveLength(120);
    const page = await server.get<{ chunks: { chunk: number }[]; total: number }>(
      `/api/v1/knowledge/${id}/chunks?limit=1&offset=1`,
    );
    expect(page.body).toMatchObject({ total: chunks, chunks: [{ chunk: 1 }], limit: 1, offset: 1 });
  });

  it("a deleted document is gone from every search", async () => {
    const { server } = await tenant();
    const { id } = await readyText(server, "Hours", HOURS);
    expect(await search(server, "saturdays")).toHaveLength(1);
    expect((await server.delete(`/api/v1/knowledge/${id}`)).status).toBe(204);
    expect(await search(server, "saturdays")).toEqual([]);
    expect((await server.get(`/api/v1/knowledge/${id}`)).status).toBe(404);
    expect((await server.get(`/api/v1/knowledge/${id}/original`)).status).toBe(404);
    expect((await server.delete(`/api/v1/knowledge/${id}`)).status).toBe(404);
  });

  it("a document keeps its text while a refresh reads it again", async () => {
    const { server } = await tenant();
    const { id } = await readyText(server, "Hours", HOURS);
    const { status } = await server.post(`/api/v1/knowledge/${id}/refresh`);
    expect(status).toBe(202);
    expect(await search(server, "saturdays")).toHaveLength(1);
    expect(await settled(server, id)).toMatchObject({ status: "ready", chunks: 1 });
    expect(await search(server, "saturdays")).toHaveLength(1);
  });

  it("a document is found only while it is valid", async () => {
    const { server } = await tenant();
    const { id } = await readyText(server, "Hours", HOURS, { effective_until: "2001-01-01" });
    expect(await search(server, "saturdays")).toEqual([]);
    const patch = (body: object) => server.patch<DocumentBody>(`/api/v1/knowledge/${id}`, body);
    expect((await patch({ effective_until: null, effective_from: "2999-01-01" })).body.effective_from).toBe(
      "2999-01-01",
    );
    expect(await search(server, "saturdays")).toEqual([]);
    await patch({ effective_from: "2001-01-01", effective_until: "2999-01-01" });
    expect(await search(server, "saturdays")).toHaveLength(1);
  });
});

describe("an agent", () => {
  it("finds its own documents, FAQs and playbooks", async () => {
    const { server } = await tenant();
    const id = await newAgent(server);
    const mine = await readyText(server, "Hours", HOURS);
    await readyText(server, "Other hours", "On Saturdays we are closed.");
    const faq = await server.post<{ id: string }>("/api/v1/faqs", {
      name: "saturdays",
      title: "What about Saturdays?",
      content: "On Saturdays there is nobody on the phone.",
    });
    await server.post(`/api/v1/agents/${id}/faqs`, { faq_id: faq.body.id });
    const attached = await server.post(`/api/v1/agents/${id}/knowledge`, { document_id: mine.id });
    expect(attached.body).toMatchObject({
      knowledge: [{ document_id: mine.id, title: "Hours", mode: "auto", status: "ready" }],
    });
    const found = await search(server, "saturdays", { agent_id: id });
    expect(found.map(({ document_id, faq_id }) => document_id ?? faq_id).sort()).toEqual([mine.id, faq.body.id].sort());
    expect((await server.get<DocumentBody>(`/api/v1/knowledge/${mine.id}`)).body.used_by).toEqual([
      { agent_id: id, name: "Front desk", mode: "auto" },
    ]);
    expect((await server.delete(`/api/v1/agents/${id}/knowledge/${mine.id}`)).status).toBe(204);
    expect((await server.get(`/api/v1/agents/${id}`)).body).toMatchObject({ knowledge: [] });
    expect((await search(server, "saturdays", { agent_id: id })).map(({ faq_id }) => faq_id)).toEqual([faq.body.id]);
  });
});
