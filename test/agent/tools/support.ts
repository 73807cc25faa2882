import { type Mock, vi } from "vitest";
import type { Client } from "../../support/client.ts";

/** The result of a run in the API's form. */
export interface Run {
  ok: boolean;
  request: { method: string; url: string; headers: Record<string, string>; body: unknown } | null;
  response: { status: number; body: unknown } | null;
  result: unknown;
  duration_ms: number;
  error: string | null;
}

/** Answers in place of a service on the internet. The requests are the calls of the mock. */
export function vendor(answer: (request: Request) => Response | Promise<Response>): Mock<typeof fetch> {
  const requests = vi.fn<typeof fetch>(async (input, init) => answer(new Request(input, init)));
  vi.stubGlobal("fetch", requests);
  return requests;
}

/** Creates a tool with this configuration. Without a schema, its arguments are optional texts. */
export async function toolOf(client: Client, config: Record<string, unknown>, schema: Record<string, unknown> = texts) {
  const name = `t_${crypto.randomUUID().slice(0, 8)}`;
  const created = await client.post("/api/v1/tools", { name, implementation_config: config, schema });
  if (created.status !== 201) throw new Error(`no tool was made: ${JSON.stringify(created.body)}`);
  return name;
}

const texts = {
  type: "object",
  properties: { a: { type: "string" }, b: { type: "string" }, list: { type: "array" }, n: { type: "number" } },
};

export const run = (client: Client, name: string, args: object = {}, more: object = {}) =>
  client.post<Run>(`/api/v1/tools/${name}/run`, { arguments: args, ...more });
