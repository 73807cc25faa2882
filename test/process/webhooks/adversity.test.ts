import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR } from "../../../src/dev/demo-data.ts";
import { freePort } from "../../../src/dev/preflight.ts";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { Service } from "../campaigns/service.ts";
import { BEHAVIORS, startReceivers, verified } from "./receivers.ts";

interface CreatedWebhook {
  id: string;
  secret: string;
}
interface Delivery {
  id: string;
  event_id: string;
  status: string;
  attempts: { at: string; status_code: number | null; error: string | null; response: string | null }[];
  next_attempt_at: string | null;
}

const ACCOUNT = "acme";
const TYPES = ["opt_out.added"];
const HALF_AN_HOUR_MS = 1_800_000;
/** Far less than the gigabyte: the capacity of the buffers in between. */
const MOST_TAKEN_BYTES = 100e6;

let service: Service;
let receivers: Awaited<ReturnType<typeof startReceivers>>;
let port: number;
let client: ApiClient;
let numbers = 0;

beforeAll(async () => {
  port = await freePort();
  receivers = await startReceivers(port);
  service = await Service.prepare({ TOOL_HOSTS: `127.0.0.1:${port}`, EMBEDDED_LOGIN: "on" });
  await service.start();
  const anybody = new ApiClient(service.url, fetch);
  const operator = await anybody.signIn(OPERATOR);
  await operator.post("/api/admin/v1/accounts", { name: ACCOUNT, display_name: "Acme", plan: "scale" });
  const email = `owner@${ACCOUNT}.example`;
  await operator.post(`/api/admin/v1/accounts/${ACCOUNT}/users`, { email, password: LONG_PASSWORD });
  const owner = await anybody.signIn({ account: ACCOUNT, email }, LONG_PASSWORD);
  const { key } = await owner.post<{ key: string }>("/api/v1/api-keys", { name: "server", scopes: SCOPES });
  client = new ApiClient(service.url, fetch, { authorization: `Bearer ${key}` });
}, 300_000);

afterAll(async () => {
  await service?.remove();
  await receivers?.close();
}, 60_000);

const make = (name: string) =>
  client.post<CreatedWebhook>("/api/v1/webhooks", { url: `http://127.0.0.1:${port}/${name}`, types: TYPES });
/** Causes an event: one more number on the do-not-call list. */
const happen = () =>
  client.post("/api/v1/do-not-call", { numbers: [`+1202555${String(100 + numbers++).padStart(4, "0")}`] });
const deliveriesOf = async ({ id }: CreatedWebhook) =>
  (await client.get<{ deliveries: Delivery[] }>(`/api/v1/webhooks/${id}/deliveries`)).deliveries;
/** Returns the webhook's first delivery with its first attempt, once they are as expected. Others may follow. */
const delivered = (webhook: CreatedWebhook, expected: Record<string, unknown>) =>
  expect
    .poll(async () => {
      const [first] = await deliveriesOf(webhook);
      return first && { status: first.status, attempts: first.attempts.slice(0, 1) };
    })
    .toMatchObject(expected);

describe("receivers that do wrong", () => {
  it("do not delay deliveries to others, and each delivery shows its error", async () => {
    const names = [...Object.keys(BEHAVIORS), "huge"] as const;
    const webhooks = new Map<string, CreatedWebhook>();
    for (const name of names) if (name !== "trap") webhooks.set(name, await make(name));
    const of = (name: string): CreatedWebhook => webhooks.get(name) ?? { id: "", secret: "" };
    await happen();

    await delivered(of("good"), { status: "delivered", attempts: [{ status_code: 200, response: "thanks" }] });
    await delivered(of("huge"), { status: "delivered", attempts: [{ status_code: 200 }] });
    const [huge] = await deliveriesOf(of("huge"));
    expect(huge?.attempts[0]?.response).toBe("x".repeat(1024));
    expect(receivers.taken()).toBeLessThan(MOST_TAKEN_BYTES);

    await delivered(of("redirects"), { status: "pending", attempts: [{ status_code: 302 }] });
    expect(receivers.at("trap")).toEqual([]);
    await delivered(of("gone"), { status: "failed", attempts: [{ status_code: 410, response: "gone for good" }] });
    const gone = { status: "disabled", disabled_reason: "gone", enabled: false };
    await expect.poll(() => client.get(`/api/v1/webhooks/${of("gone").id}`)).toMatchObject(gone);
    await delivered(of("throttles"), { status: "pending", attempts: [{ status_code: 429 }] });
    const [throttled] = await deliveriesOf(of("throttles"));
    const waits = Date.parse(throttled?.next_attempt_at ?? "") - Date.parse(throttled?.attempts[0]?.at ?? "");
    expect(waits).toBeGreaterThan(HALF_AN_HOUR_MS);
    await delivered(of("cuts"), { status: "pending", attempts: [{ status_code: null }] });
    // The second attempt follows five seconds after the first.
    await expect.poll(() => receivers.at("breaks").length).toBeGreaterThan(1);
    const [first, second] = receivers.at("breaks");
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    // There is no response for fifteen seconds.
    const late = { status: "pending", attempts: [{ status_code: null, error: "no answer arrived within 15 s" }] };
    await delivered(of("hangs"), late);
    for (const [name, { secret }] of webhooks) for (const got of receivers.at(name)) verified(got, secret);
    for (const { id } of webhooks.values()) await client.send("DELETE", `/api/v1/webhooks/${id}`);
  });
});

describe("a service that is killed", () => {
  it("a service killed between an event and its delivery loses no event", async () => {
    const webhook = await make("patient");
    receivers.behave("patient", BEHAVIORS.good);
    await happen();
    await killAndStart();
    await delivered(webhook, { status: "delivered" });
    const ids = receivers.at("patient").map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  it("a service killed between a delivery and its record delivers it again under the same id, even if the secret was rotated meanwhile", async () => {
    const webhook = await make("killer");
    const killed = new Promise<void>((resolve) => {
      receivers.behave("killer", () => {
        receivers.behave("killer", BEHAVIORS.good);
        service.kill();
        resolve();
      });
    });
    await happen();
    await killed;
    await service.gone();
    await service.start();
    const rotated = await client.post<CreatedWebhook>(`/api/v1/webhooks/${webhook.id}/rotate-secret`, {});
    await delivered(webhook, { status: "delivered" });
    const [delivery] = await deliveriesOf(webhook);
    expect(delivery?.attempts[0]?.error).toMatch(/interrupted/);
    const got = receivers.at("killer");
    expect([got.length > 1, new Set(got.map(({ id, body }) => `${id} ${body}`)).size]).toEqual([true, 1]);
    const last = got.at(-1);
    if (!last) throw new Error("nothing arrived");
    for (const secret of [webhook.secret, rotated.secret])
      expect(verified(last, secret)).toMatchObject({ type: "opt_out.added", account: ACCOUNT });
  });
});

async function killAndStart(): Promise<void> {
  service.kill();
  await service.gone();
  await service.start();
}
