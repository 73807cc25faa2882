import { expect, vi } from "vitest";
import type { Client } from "../../support/client.ts";

export interface DocumentBody {
  id: string;
  title: string;
  source: string;
  status: string;
  reason: string | null;
  language: string | null;
  bytes: number;
  chunks: number;
  effective_from: string | null;
  effective_until: string | null;
  refreshed_at: string | null;
  used_by: { agent_id: string; name: string; mode: string }[];
}

export interface Result {
  document_id: string | null;
  faq_id: string | null;
  playbook_id: string | null;
  title: string;
  chunk: number;
  heading: string;
  text: string;
  score: number;
}

/** Creates a document from a text. */
export async function addText(client: Client, title: string, text: string, fields = {}): Promise<DocumentBody> {
  const { status, body } = await client.post<DocumentBody>("/api/v1/knowledge", { title, text, ...fields });
  expect([status, body]).toMatchObject([202, {}]);
  return body;
}

export function upload(
  client: Client,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([content], name));
  return client.send<DocumentBody>("POST", "/api/v1/knowledge", form);
}

/** Waits until a document is no longer being processed. */
export async function settled(client: Client, id: string): Promise<DocumentBody> {
  return vi.waitFor(
    async () => {
      const { body } = await client.get<DocumentBody>(`/api/v1/knowledge/${id}`);
      expect(body.status).not.toBe("processing");
      return body;
    },
    { interval: 20 },
  );
}

/** Creates a document from a text, and waits until agents find it. */
export async function readyText(client: Client, title: string, text: string, fields = {}): Promise<DocumentBody> {
  const { id } = await addText(client, title, text, fields);
  const document = await settled(client, id);
  expect(document).toMatchObject({ status: "ready", reason: null });
  return document;
}

export async function search(client: Client, query: string, fields = {}): Promise<Result[]> {
  const { status, body } = await client.post<{ results: Result[] }>("/api/v1/knowledge/search", { query, ...fields });
  expect([status, body]).toMatchObject([200, {}]);
  return body.results;
}

export async function newAgent(client: Client, fields = {}): Promise<string> {
  const { body } = await client.post<{ id: string }>("/api/v1/agents", { name: "Front desk", ...fields });
  return body.id;
}
