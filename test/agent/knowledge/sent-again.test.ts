import { describe, expect, it } from "vitest";
import { type Client, tenant } from "../../support/client.ts";
import { type DocumentBody, settled } from "./support.ts";

function strictly(client: Client, document: object) {
  const headers = {
    "content-type": "application/json",
    accept: "application/problem+json",
    prefer: "handling=strict",
  };
  return client.send("POST", "/api/v1/knowledge", JSON.stringify(document), headers);
}

describe("a document that is sent again", () => {
  it("settings that an existing document does not have are named when its content is sent again", async () => {
    const { server } = await tenant();
    const sent = { title: "Hours", text: "The office is open for you and the team.", effective_from: "2026-12-01" };
    const first = await server.post<DocumentBody>("/api/v1/knowledge", sent);
    await settled(server, first.body.id);
    const same = await strictly(server, { ...sent, language: "en" });
    expect([same.status, same.headers.get("ignored-fields")]).toEqual([202, null]);
    const other = { ...sent, language: "de", effective_from: null, effective_until: null, tags: [] };
    const again = await server.post("/api/v1/knowledge", other);
    expect(again).toMatchObject({ status: 202, body: { id: first.body.id, effective_from: "2026-12-01" } });
    expect(again.headers.get("ignored-fields")).toBe("tags, language, effective_from");
  });

  it("a strict request with other settings than those of the existing document is refused", async () => {
    const { server } = await tenant();
    const sent = { url: "https://site.example/help", title: "Help" };
    await server.post("/api/v1/knowledge", { ...sent, pages: 5 });
    const again = await strictly(server, sent);
    expect(again).toMatchObject({ status: 202, body: { pages: 5 } });
    const { status, code, body } = await strictly(server, { ...sent, pages: 20, refresh_hours: 24 });
    expect([status, code]).toEqual([400, "duplicate_document"]);
    expect(body).toMatchObject({ errors: [{ field: "pages" }, { field: "refresh_hours" }] });
  });
});
