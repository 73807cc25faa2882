import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { type StandInModel, type StandInRequest, startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { Service } from "../campaigns/service.ts";
import { Reception } from "./reception.ts";

/** Kills the whole service while it runs tests. The model and a vendor keep running and count. */
let service: Service;
let model: StandInModel;
let reception: Reception;
let vendor: Server;
let bookings = 0;

beforeAll(async () => {
  vendor = createServer(() => void bookings++);
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  model = await startStandInModel();
  const secrets = await freshSecrets();
  service = await Service.prepare(
    Object.assign({}, secrets, {
      LLM_BASE_URL: model.openai_url,
      LLM_MODEL: "stand-in",
      TOOL_HOSTS: `127.0.0.1:${(vendor.address() as AddressInfo).port}`,
    }),
  );
  await service.start();
  reception = await Reception.open(service, secrets.SIGNING_KEYS);
}, 300_000);

afterAll(async () => {
  await service?.remove();
  await model?.close();
  vendor?.closeAllConnections();
  vendor?.close();
}, 60_000);

interface Run {
  id: string;
  status: string;
  done: number;
  results: { name: string; state: string; error: string | null; transcript: { text: string }[] }[];
}

const messagesOf = ({ body }: StandInRequest) => JSON.stringify(body.messages);
const timesRequested = (words: string) =>
  model.requests.filter((request) => messagesOf(request).includes(words)).length;

async function agentWith(tests: string[]): Promise<string> {
  const { id } = await reception.post<{ id: string }>("/api/v1/agents", { name: "Tested" });
  for (const says of tests)
    await reception.post(`/api/v1/agents/${id}/tests`, { name: says, steps: [{ says }], expect: [{ said: "yes" }] });
  return id;
}

const ended = (id: string) =>
  vi.waitFor(async () => {
    const run = await reception.get<Run>(`/api/v1/test-runs/${id}`);
    expect(run.status).not.toBe("running");
    return run;
  }, WAIT);

describe("a test run whose service is killed", () => {
  it("continues: finished conversations are kept, interrupted ones are repeated, and all are charged", async () => {
    let stalls = true;
    model.answers((request) =>
      stalls && messagesOf(request).includes("slowly")
        ? { steps: [], first_ms: 3_600_000, end: "stall" }
        : { steps: [{ say: "Yes." }] },
    );
    const agent = await agentWith(["first", "second", "third slowly", "fourth slowly", "fifth"]);
    const budget = { scope: "account", period: "day", unit: "tokens", limit: 10_000_000, action: "end" };
    const { id: budgetId } = await reception.post<{ id: string }>("/api/v1/budgets", budget);
    const { id } = await reception.post<Run>(`/api/v1/agents/${agent}/test-runs`, {});
    await vi.waitFor(() => expect(timesRequested("slowly")).toBe(2), WAIT);
    expect(await reception.get<Run>(`/api/v1/test-runs/${id}`)).toMatchObject({ status: "running", done: 2 });
    service.kill();
    await service.gone();
    stalls = false;
    await service.start();
    const run = await ended(id);
    expect(run).toMatchObject({ status: "completed", done: 5 });
    expect(run.results.map(({ state, error }) => [state, error])).toEqual(
      Array.from({ length: 5 }, () => ["passed", null]),
    );
    expect(["first", "second", "slowly", "fifth"].map(timesRequested)).toEqual([1, 1, 4, 1]);
    // The usage consists of five complete answers of the model, and the sent parts of the two that were cut off.
    await vi.waitFor(async () => {
      const { used } = await reception.get<{ used: number }>(`/api/v1/budgets/${budgetId}`);
      expect(used).toBeGreaterThan(5 * 19 + 2 * 100);
    }, WAIT);
  }, 300_000);

  it("does not repeat a conversation in which a tool may have changed something, and reports it", async () => {
    model.answers(() => ({ steps: [{ call: { id: "c1", name: "book_slot", arguments: {} } }] }));
    const agent = await agentWith(["book it"]);
    const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/bookings`;
    await reception.post("/api/v1/tools", {
      name: "book_slot",
      implementation_type: "http",
      implementation_config: { method: "POST", url, timeout_ms: 10_000 },
    });
    await reception.post(`/api/v1/agents/${agent}/tools`, { tool_name: "book_slot" });
    const { id } = await reception.post<Run>(`/api/v1/agents/${agent}/test-runs`, { allow_tools: ["book_slot"] });
    await vi.waitFor(() => expect(bookings).toBe(1), WAIT);
    service.kill();
    await service.gone();
    await service.start();
    const run = await ended(id);
    expect(run.results.map(({ state, error }) => [state, error])).toEqual([["model_failed", "cut_off_after_write"]]);
    expect([bookings, timesRequested("book it")]).toEqual([1, 1]);
  }, 300_000);
});
