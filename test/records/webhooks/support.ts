import { env } from "cloudflare:workers";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, vi } from "vitest";
import { webhookObject } from "../../../src/kernel/durable/objects.ts";
import type { Answer, Client } from "../../support/client.ts";

export const URL_ = "https://shop.example/hook";

export interface ListedWebhook {
  id: string;
  url: string;
  created_by: string;
  types: string[];
  description: string | null;
  agent_ids: string[] | null;
  enabled: boolean;
  status: string;
  disabled_reason: string | null;
  content: boolean;
  last_delivery_at: string | null;
  failing_since: string | null;
  behind: number;
  missed: number;
  secret_expires_at: string | null;
  secret: string;
}

export interface ListedDelivery {
  id: string;
  event_id: string;
  type: string;
  status: string;
  created_at: string;
  attempts: {
    at: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
    response: string | null;
  }[];
  next_attempt_at: string | null;
}

export interface Page {
  deliveries: ListedDelivery[];
  next: string | null;
}

/** A request that a receiver got. */
export interface Got {
  url: string;
  headers: Record<string, string>;
  body: string;
  message: { id: string; type: string; timestamp: string; account: string; data: Record<string, unknown> };
}

/** Simulates a server on the internet with these responses, and records the requests in a list. */
export function receiver(
  answer: (got: Got, n: number) => Response | Promise<Response> = () => new Response("thanks"),
): Got[] {
  const got: Got[] = [];
  vi.stubGlobal("fetch", async (input: URL, init: RequestInit) => {
    const request = new Request(input, {
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      body: init.body as string,
    });
    const body = await request.text();
    const one = { url: request.url, headers: Object.fromEntries(request.headers), body, message: JSON.parse(body) };
    got.push(one);
    return answer(one, got.length);
  });
  return got;
}

export function create(client: Client, wanted: object = {}): Promise<Answer<ListedWebhook>> {
  return client.post<ListedWebhook>("/api/v1/webhooks", { url: URL_, types: ["*"], ...wanted });
}

export async function createdWebhook(client: Client, wanted: object = {}): Promise<ListedWebhook> {
  const { status, body } = await create(client, wanted);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

export const pathOf = ({ id }: { id: string }) => `/api/v1/webhooks/${id}`;
export const read = async (client: Client, webhook: { id: string }) =>
  (await client.get<ListedWebhook>(pathOf(webhook))).body;

export async function deliveries(
  client: Client,
  webhook: { id: string },
  query = "limit=100",
): Promise<ListedDelivery[]> {
  const { status, body } = await client.get<Page>(`${pathOf(webhook)}/deliveries?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.deliveries;
}

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 20 });

/** Waits until the first delivery of the webhook matches `like`, and returns it. */
export function delivered(client: Client, webhook: { id: string }, like: object): Promise<ListedDelivery> {
  return eventually(async () => {
    const [first] = await deliveries(client, webhook);
    expect(first).toMatchObject(like);
    return first as ListedDelivery;
  });
}

/** Returns the content of the message if the secret signed it. */
export const verified = ({ body, headers }: Got, secret: string) => new Verifier(secret).verify(body, headers);

export const objectOf = (account: string, { id }: { id: string }) => webhookObject(env, account, id);
