import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { anthropicFrames, openaiFrames, type StandInCut, type Step } from "./stand-in-frames.ts";

/**
 * How the stand-in answers a request. It sends the first step `first_ms` after the request and then one every
 * `between_ms`, until the end, or until it cuts the connection or falls silent; `finish` is the reason if the answer is
 * cut. Or it answers with an HTTP error.
 */
export type StandInAnswer =
  | { steps: Step[]; first_ms?: number; between_ms?: number; end?: "whole" | "cut" | "stall"; finish?: StandInCut }
  | { status: number; body?: string; retry_after?: string };

/** A request that the stand-in received. Times are ms since 1970 with fractions; null for what has not happened. */
export interface StandInRequest {
  api: "openai" | "anthropic";
  /** The request as sent: the key is in authorization or x-api-key. */
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
  received_at: number;
  first_token_at: number | null;
  ended_at: number | null;
  /** Whether the client disconnected before the end. */
  left: boolean;
}

/** A server that answers like OpenAI (at `openai_url`) and like Anthropic (at `anthropic_url`), as scripted. */
export interface StandInModel {
  openai_url: string;
  anthropic_url: string;
  requests: StandInRequest[];
  /** How requests are answered from now on. */
  answers(answer: (request: StandInRequest) => StandInAnswer): void;
  close(): Promise<void>;
}

/** Settings of a stand-in: where it listens, and the key it requires, by default none. */
export interface StandInOptions {
  port?: number;
  key?: string;
}

/** How long a connection without a request is kept, ms. */
const KEPT_FOR_MS = 600_000;

/** Starts a stand-in for a model's server on this machine; it answers "Hello there." until it gets another script. */
export async function startStandInModel({ port = 0, key }: StandInOptions = {}): Promise<StandInModel> {
  const requests: StandInRequest[] = [];
  let answer: (request: StandInRequest) => StandInAnswer = () => ({ steps: [{ say: "Hello " }, { say: "there." }] });
  const server = createServer((incoming, response) => {
    serveRequest(incoming, response).catch(() => response.destroy());
  });
  const serveRequest = async (incoming: IncomingMessage, response: ServerResponse) => {
    const received_at = now();
    const api = API_BY_PATH[incoming.url ?? ""];
    const body = await jsonOf(incoming);
    if (incoming.method !== "POST" || !api) return refuse(response, 404, "not_found_error");
    const { headers } = incoming;
    const request: StandInRequest = {
      api,
      headers,
      body,
      received_at,
      first_token_at: null,
      ended_at: null,
      left: false,
    };
    requests.push(request);
    if (key !== undefined && headers.authorization !== `Bearer ${key}` && headers["x-api-key"] !== key) {
      return refuse(response, 401, "invalid_api_key");
    }
    response.on("close", () => {
      request.left = !response.writableFinished;
    });
    await respond(request, response, answer(request));
    request.ended_at = now();
  };
  // If a kept connection were closed just as the next request arrives, the server would appear to be missing.
  server.keepAliveTimeout = KEPT_FOR_MS;
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openai_url: `${origin}/v1`,
    anthropic_url: `${origin}/anthropic/v1`,
    requests,
    answers(next) {
      answer = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

const API_BY_PATH: Record<string, StandInRequest["api"]> = {
  "/v1/chat/completions": "openai",
  "/anthropic/v1/messages": "anthropic",
};

async function respond(request: StandInRequest, response: ServerResponse, answer: StandInAnswer): Promise<void> {
  if ("status" in answer) {
    const retryHeader = answer.retry_after === undefined ? {} : { "retry-after": answer.retry_after };
    response.writeHead(answer.status, { "content-type": "application/json", ...retryHeader });
    response.end(answer.body ?? JSON.stringify({ error: { type: "server_error", message: "it went wrong" } }));
    return;
  }
  const { steps, first_ms = 0, between_ms = 0, end = "whole", finish } = answer;
  const frames = request.api === "openai" ? openaiFrames(finish) : anthropicFrames(finish);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  if (steps.length === 0) response.write(frames.open.join(""));
  for (const [i, step] of steps.entries()) {
    await pause(i === 0 ? first_ms : between_ms);
    if (response.destroyed) return;
    const opening = i === 0 ? frames.open : [];
    request.first_token_at ??= now();
    const bytes = [...opening, ...frames.step(step)].join("");
    await new Promise<void>((written) => response.write(bytes, () => written()));
  }
  if (end === "whole") response.end(frames.close.join(""));
  else if (end === "cut") response.destroy();
}

function refuse(response: ServerResponse, status: number, type: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { type, message: "refused" } }));
}

async function jsonOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return JSON.parse(text || "{}");
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
