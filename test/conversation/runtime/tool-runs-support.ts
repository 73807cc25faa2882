import { runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { framesOf, openaiFrames, type Step } from "../../../src/dev/stand-in-frames.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import type { Client } from "../../support/client.ts";
import type { RuntimeSession } from "../../support/runtime.ts";
import { greetedSession, livesWith, objectOf } from "./conversing.ts";

/** The settings that make an agent use the model of these tests. */
const MODEL = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };

/** The relevant fields of a request to a model. */
export interface ModelRequest {
  messages: { role: string; content: string | null; tool_calls?: { id: string }[] }[];
}

/** A request to the vendor that stays unanswered until the test answers it. */
export interface VendorRequest {
  request: Request;
  answer(body: unknown, status?: number): void;
  fail(): void;
}

/** Simulates a model that answers with these steps, and a vendor whose answers the test holds back. */
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

/** Returns the answer once there is one. It polls, because an object continues only by its own events. */
async function heldUntil(given: () => (() => Response) | null): Promise<Response> {
  for (;;) {
    const answer = given();
    if (answer !== null) return answer();
    await scheduler.wait(5);
  }
}

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

/** Creates a call whose agent has this tool. Its session was not requested yet. */
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

/** Makes the call's agent use the model of these tests. */
export const thinksWithModel = (call: RuntimeSession) => livesWith(call, call.call_id, MODEL);

/** Crashes the conversation's process with all work in progress. */
export const crash = (call: RuntimeSession) =>
  runInDurableObject(objectOf(call, call.call_id) as unknown as DurableObjectStub, (_, state) =>
    state.abort("the test lost the process"),
  ).catch(() => undefined);

/** The answer to a runtime's use of a tool. */
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

/** Returns the tools used in a conversation, in order. */
export const toolsUsed = ({ turns }: Conversation) => turns.flatMap(({ tool_call }) => tool_call ?? []);

/** Returns the results that a model got from its tools, in order. */
export const toolMessages = ({ messages }: ModelRequest) =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => content);
