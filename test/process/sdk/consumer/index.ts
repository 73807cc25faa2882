import { Switchboard, SwitchboardError, verifyWebhook, WebhookVerificationError } from "@switchboard/sdk";
import type { components, paths } from "@switchboard/sdk/schema";

const sb = new Switchboard({ baseUrl: "https://voice.example.com", apiKey: () => "sk_live_acme_x" });

export type Agent = components["schemas"]["Agent"];
export type CreateAgent = paths["/api/v1/agents"]["post"];

/** Checks the package's types: fields by name, and no fields that the API lacks. */
export async function report(signal: AbortSignal): Promise<string[]> {
  const agent = await sb.agents.create({ name: "Reception" }, { signal });
  const name: string = agent.name;
  await sb.agents.update(agent.id, { greeting_message: "Hello" }, { ifMatch: agent });
  const lines = [name];
  for await (const call of sb.calls.list({ status: "completed" })) lines.push(call.call_id);
  const read = await sb.request("GET", "/api/v1/agents/{id}", { params: { path: { id: agent.id } } });
  const same: Agent = read;
  // @ts-expect-error an agent has no such field
  same.nonsense;
  // @ts-expect-error no operation has this path
  await sb.request("GET", "/api/v1/nothing");
  // @ts-expect-error a name is a text
  await sb.agents.create({ name: 7 });
  for await (const event of sb.events.stream({ signal })) {
    if (event.data.type === "call.ended") lines.push(event.data.data.end_reason ?? "");
  }
  return lines;
}

export async function receive(request: Request, secret: string): Promise<Response> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, secret);
    const call: string | null = event.type === "call.ended" ? event.data.call_id : null;
    return Response.json({ type: event.type, call });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(null, { status: 400 });
    if (error instanceof SwitchboardError) return new Response(error.code, { status: error.status });
    throw error;
  }
}
