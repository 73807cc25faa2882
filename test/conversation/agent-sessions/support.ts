import { expect, vi } from "vitest";
import type { Conversation } from "../../records/conversations/support.ts";
import { type Client, type Tenant, tenant } from "../../support/client.ts";
import { type Frame, openRuntime, type RuntimeSocket } from "../../support/runtime.ts";

export interface AgentSession {
  access_token: string;
  token_type: string;
  expires_in: number;
  runtime_url: string | null;
  agent_id: string;
  conversation_id: string;
}

export const sessionPath = (agentId: string) => `/api/v1/agents/${agentId}/session`;

/** An account with an agent that greets; fields of the agent's may be given. */
export async function withAgent(fields: Record<string, unknown> = {}): Promise<Tenant & { agentId: string }> {
  const who = await tenant();
  const agent = { name: "Ada", greeting_message: "Hello {{first_name|there}}.", ...fields };
  const { body } = await who.server.post<{ id: string }>("/api/v1/agents", agent);
  return { ...who, agentId: body.id };
}

/** A session in which the client tries the agent. */
export async function sessionOf(client: Client, agentId: string, body?: unknown): Promise<AgentSession> {
  const answer = await client.post<AgentSession>(sessionPath(agentId), body);
  if (answer.status !== 200) throw new Error(`no session: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Shows the token at the runtime's socket. */
export async function show(access_token: string): Promise<RuntimeSocket> {
  const socket = await openRuntime();
  socket.send({ type: "session", access_token });
  return socket;
}

const isWhole = ({ type }: Frame) => type === "message";

/** What the agent says next. */
export async function nextMessage(socket: RuntimeSocket): Promise<string> {
  return String((await socket.until(isWhole)).at(-1)?.text);
}

/** A connection over which the agent has greeted. */
export async function greeted(access_token: string): Promise<RuntimeSocket> {
  const socket = await show(access_token);
  await nextMessage(socket);
  return socket;
}

/** Writes to the agent. */
export function write(socket: RuntimeSocket, text: string): void {
  socket.send({ type: "message", id: crypto.randomUUID(), text });
}

/** The conversation of a session, once it is listed and as it then is. */
export function recordOf(client: Client, { conversation_id }: AgentSession): Promise<Conversation> {
  return vi.waitFor(
    async () => {
      const { status, body } = await client.get<Conversation>(`/api/v1/conversations/${conversation_id}`);
      expect(status).toBe(200);
      return body;
    },
    { interval: 10 },
  );
}
