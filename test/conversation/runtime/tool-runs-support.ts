import { runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { framesOf, openaiFrames, type Step } from "../../../src/dev/stand-in-frames.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import type { Client } from "../../support/client.ts";
import type { RuntimeSession } from "../../support/runtime.ts";
import { greetedSession, livesWith, objectOf } from "./conversing.ts";

/** The settings by which an agent's model is the one of these tests. */
const MODEL = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };

/** A request to a model, as far as these tests look at it. */
export interface ModelRequest {
  messages: { role: string; content: string | null; tool_calls?: { id: string }[] }[];
}

/** A request that the vendor got, unanswered until it is answered. */
export interface VendorRequest {
  request: Request;
  /** Answers with this JSON. */
  answer(body: unknown, status?: number): void;
  /** Breaks the connection. */
  fail(): void;
}

/** A model that answers by these steps, and a vendor whose answers the test holds back. */
export function modelAndVendor(steps: (request: ModelRequest, n: number) => Step[]) {
  const modelRequests: ModelRequest[] = [];
  const sent: VendorRequest[] = [];
  const fetching: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.startsWith("http://model.test/")) {
      const body = (await request.json()) as ModelRequest;
      return new Response(framesOf(openaiFrames(), steps(body, modelRequests.push(body))).join(""));
    }
    let given: (() => Response) | null = null;
    sent.push({
      request,
      answer(json, status = 200) {
        given = () => Response.json(json, { status });
      },
      fail() {
        given = () => {
          throw new TypeError("connection lost");
        };
      },
    });
    return heldUntil(() => given);
  };
  vi.stubGlobal("fetch", fetching);
  return { modelRequests, sent };
}

/** The answer once there is one. Looked for by who waits: an object goes on only by what happens in itself. */
async function heldUntil(given: () => (() => Response) | null): Promise<Response> {
  for (;;) {
    const answer = given();
    if (answer !== null) return answer();
    await scheduler.wait(5);
  }
}

/** The vendor's next request. */
export function nextRequest(sent: VendorRequest[], n = 1): Promise<VendorRequest> {
  return vi.waitFor(
    () => {
      const found = sent[n - 1];
      if (!found) throw new Error(`the vendor was asked ${sent.length} times`);
      return found;
    },
    { interval: 5 },
  );
}

const SCHEMA = { type: "object", properties: { day: { type: "string" } }, required: ["day"] };
export const BOOKING = { method: "POST", url: "https://api.vendor.example/bookings", body: { day: "{day}" } };

/** A call whose agent has this tool; nobody has asked for its session yet. */
export async function callWithTool(
  name = "book_table",
  config: Record<string, unknown> = BOOKING,
  schema: Record<string, unknown> = SCHEMA,
) {
  const call = await greetedSession();
  await call.server.post("/api/v1/tools", {
    name,
    description: "Books a table for a day.",
    implementation_config: config,
    schema,
  });
  await call.server.post(`/api/v1/agents/${call.agent_id}/tools`, { tool_name: name });
  return call;
}

/** From now on the agent of this call uses the model of these tests. */
export const thinksWithModel = (call: RuntimeSession) => livesWith(call, call.call_id, MODEL);

/** The conversation's process is lost, and with it all that was under way. */
export const crash = (call: RuntimeSession) =>
  runInDurableObject(objectOf(call, call.call_id) as unknown as DurableObjectStub, (_, state) =>
    state.abort("the test lost the process"),
  ).catch(() => undefined);

/** The answer to a runtime that uses a tool. */
export interface Used {
  run_id: string | null;
  state: string;
  ok: boolean;
  result: unknown;
  duration_ms: number;
}

export const use = ({ client }: { client: Client }, name: string, args: object, tool_call_id?: string) =>
  client.post<Used>(`/api/runtime/v1/session/tools/${name}`, {
    arguments: args,
    ...(tool_call_id !== undefined && { tool_call_id }),
  });

/** The tools used in a conversation, in order. */
export const toolsUsed = ({ turns }: Conversation) => turns.flatMap(({ tool_call }) => tool_call ?? []);

/** What a model gets from the tools it called, in order. */
export const toolMessages = ({ messages }: ModelRequest) =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => content);
