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

/** Creates an account with an agent that greets, with these fields of the agent. */
export async function withAgent(fields: Record<string, unknown> = {}): Promise<Tenant & { agentId: string }> {
  const who = await tenant();
  const agent = { name: "Ada", greeting_message: "Hello {{first_name|there}}.", ...fields };
  const { body } = await who.server.post<{ id: string }>("/api/v1/agents", agent);
  return { ...who, agentId: body.id };
}

/** Opens a session in which the client tries the agent. */
export async function sessionOf(client: Client, agentId: string, body?: unknown): Promise<AgentSession> {
  const answer = await client.post<AgentSession>(sessionPath(agentId), body);
  if (answer.status !== 200) throw new Error(`no session: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Presents the token at the runtime's socket. */
export async function show(access_token: string): Promise<RuntimeSocket> {
  const socket = await openRuntime();
  socket.send({ type: "session", access_token });
  return socket;
}

const isWhole = ({ type }: Frame) => type === "message";

/** Returns the agent's next message. */
export async function nextMessage(socket: RuntimeSocket): Promise<string> {
  return String((await socket.until(isWhole)).at(-1)?.text);
}

/** Returns a connection over which the agent has greeted. */
export async function greeted(access_token: string): Promise<RuntimeSocket> {
  const socket = await show(access_token);
  await nextMessage(socket);
  return socket;
}

export function write(socket: RuntimeSocket, text: string): void {
  socket.send({ type: "message", id: crypto.randomUUID(), text });
}

/** Returns a session's conversation once it is listed. */
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
