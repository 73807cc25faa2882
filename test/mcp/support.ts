import { type Client, call } from "../support/client.ts";

export interface ToolResult {
  isError?: boolean;
  resultType?: string;
  content?: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  inputRequests?: Record<string, { method: string; params: { message: string } }>;
}

interface Message<T> {
  result?: T;
  error?: { code: number; message: string };
}

const ACCEPT = "application/json, text/event-stream";

/** Sends one message as a client of the revisions before 2026-07-28 does, without a session. */
export async function legacy<T = ToolResult>(
  { headers }: Client,
  method: string,
  params: object = {},
): Promise<Message<T>> {
  const answer = await call<string | Message<T>>("POST", "/mcp", {
    headers: { ...headers, accept: ACCEPT, "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
  return messageOf(answer.body);
}

interface Modern {
  /** The answer that the client gives for its user; false if it gives none. */
  elicitation?: object | false;
  inputResponses?: Record<string, unknown>;
}

/** Sends one message as a client of 2026-07-28 does, which may be able to ask its user. */
export async function modern<T = ToolResult>(
  { headers }: Client,
  method: string,
  params: { name?: string; uri?: string; [param: string]: unknown } = {},
  { elicitation = { form: {} }, inputResponses }: Modern = {},
): Promise<Message<T>> {
  const name = params.name ?? params.uri;
  const answer = await call<string | Message<T>>("POST", "/mcp", {
    headers: {
      ...headers,
      accept: ACCEPT,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        ...(inputResponses && { inputResponses }),
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": elicitation ? { elicitation } : {},
        },
      },
    },
  });
  return messageOf(answer.body);
}

/** Returns the message of a response, which may be the only event of a stream. */
function messageOf<T>(body: string | Message<T>): Message<T> {
  if (typeof body !== "string") return body;
  const data = /^data: (\{.*)$/m.exec(body)?.[1];
  if (data === undefined) throw new Error(`no message: ${body}`);
  return JSON.parse(data) as Message<T>;
}

/** Calls a tool as a client of the revisions before 2026-07-28 does, and returns the tool's answer. */
export async function use(client: Client, name: string, args: object = {}): Promise<ToolResult> {
  const { result, error } = await legacy(client, "tools/call", { name, arguments: args });
  if (!result) throw new Error(`${name}: ${JSON.stringify(error)}`);
  return result;
}

/** Makes the first call of an act, and returns the token that confirms it. */
export async function confirmTokenOf(client: Client, name: string, args: object): Promise<string> {
  const { structuredContent, content } = await use(client, name, args);
  const confirm = structuredContent?.confirm;
  if (typeof confirm !== "string") throw new Error(`${name} asks for no confirmation: ${JSON.stringify(content)}`);
  return confirm;
}

export const textOf = ({ content }: ToolResult) => (content ?? []).map(({ text }) => text).join("\n");
export const AGREED = { yes: { action: "accept", content: { agree: true } } };

/** Makes the second call of an act, as a client of 2026-07-28 whose user gives this answer. */
export async function confirmed(client: Client, name: string, args: object, yes: object = AGREED.yes): Promise<string> {
  const { result } = await modern(client, "tools/call", { name, arguments: args }, { inputResponses: { yes } });
  return textOf(result ?? {});
}
