import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD } from "../../../src/dev/demo-data.ts";
import { createAccount } from "../campaigns/account.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { freshFetch, Service } from "../campaigns/service.ts";

/** The number of kills during publications, and during restores. */
const KILLS = 8;
/**
 * The first delay from the request to the kill, ms. It grows after kills that were too early and shrinks after kills
 * that were too late.
 */
const FIRST_MS = 16;
const KINDS = ["faqs", "playbooks"] as const;
const EACH = 4;

interface Version {
  number: number;
  note: string | null;
  live: boolean;
  published_at: string | null;
}
interface Agent {
  greeting_message: string;
  published_version: number | null;
  status: string;
}

let service: Service;
let owner: ApiClient;

beforeAll(async () => {
  service = await Service.prepare({});
  await service.start();
  const who = await createAccount(service.url);
  owner = await new ApiClient(service.url, freshFetch).signIn(who, LONG_PASSWORD);
}, 120_000);

afterAll(async () => {
  await service?.remove();
}, 60_000);

const versionsOf = async (path: string) =>
  (await owner.get<{ versions: Version[] }>(`${path}/versions?limit=100`)).versions;
const diffOf = async (path: string, from: number | "draft", to: number | "draft") =>
  (await owner.get<{ changes: { field: string }[] }>(`${path}/versions/${from}/diff/${to}`)).changes;

/** Creates an agent under manual versioning with one attachment of each kind, published as version 1. */
async function agentWithAll(): Promise<string> {
  const { id } = await owner.post<{ id: string }>("/api/v1/agents", {
    name: "Reception",
    versioning: "manual",
    greeting_message: "0",
  });
  const path = `/api/v1/agents/${id}`;
  for (let i = 0; i < EACH; i++) {
    for (const kind of KINDS) {
      const item = { name: `${kind}_${id.slice(-6)}_${i}`, content: "0", summary: "" };
      const { id: item_id } = await owner.post<{ id: string }>(`/api/v1/${kind}`, item);
      await owner.post(`${path}/${kind}`, { [kind === "faqs" ? "faq_id" : "playbook_id"]: item_id });
    }
  }
  await owner.post(`${path}/publish`, { note: "0" });
  return path;
}

/** Sends a request, kills the service this long after that, ms, and starts it again. */
async function cutOff(path: string, body: object, after: number): Promise<void> {
  const sent = freshFetch(service.url + path, {
    method: "POST",
    headers: Object.assign({ "content-type": "application/json" }, owner.headers),
    body: JSON.stringify(body),
  }).catch(() => undefined);
  await sleep(after);
  service.kill();
  await sent;
  await service.gone();
  await service.start();
}

describe("a service that is killed", () => {
  it("a service killed during a publication has published all of it or nothing", async () => {
    const path = await agentWithAll();
    const outcomes = new Set<boolean>();
    let after = FIRST_MS;
    for (let round = 1; round <= KILLS; round++) {
      await owner.send("PATCH", path, { greeting_message: String(round) });
      await cutOff(`${path}/publish`, { note: String(round) }, after);
      const found = await versionsOf(path);
      const live = found.find((version) => version.live);
      const agent = await owner.get<Agent>(path);
      expect(agent).toMatchObject({ greeting_message: String(round), published_version: live?.number });
      const isDone = live?.number === round + 1;
      outcomes.add(isDone);
      after *= isDone ? 0.5 : 2;
      expect(live).toMatchObject({ number: isDone ? round + 1 : round, note: String(isDone ? round : round - 1) });
      expect(found.length, "half of a version").toBe(isDone ? round + 1 : round);
      expect((await diffOf(path, live?.number ?? 0, "draft")).length).toBe(isDone ? 0 : 1);
      // Sent again, it is published once, whatever happened to the first request.
      const again = await owner.post<Version>(`${path}/publish`, { note: String(round) });
      expect(again).toMatchObject({ number: round + 1, note: String(round), live: true });
      expect(await versionsOf(path)).toHaveLength(round + 1);
    }
    const id = path.split("/").at(-1);
    await vi.waitFor(async () => {
      type Events = { events: { data: { agent_id: string; version: number } }[] };
      const { events } = await owner.get<Events>("/api/v1/events?types=agent.published&limit=100");
      const numbers = events.filter(({ data }) => data.agent_id === id).map(({ data }) => data.version);
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: KILLS + 1 }, (_, i) => i + 1));
    }, WAIT);
    expect(outcomes.size, "killed before it was decided, and after").toBe(2);
  }, 300_000);

  it("a service killed while it restores a version has restored all of it or nothing", async () => {
    const path = await agentWithAll();
    const outcomes = new Set<boolean>();
    let after = FIRST_MS;
    const whole = await owner.get<{ agent: object }>(`${path}/versions/1`);
    for (let round = 1; round <= KILLS; round++) {
      // Everything differs from version 1: fields, texts, order and attachments.
      await owner.send("PATCH", path, { greeting_message: `edited ${round}` });
      const { faqs, playbooks } = await owner.get<Record<(typeof KINDS)[number], { id: string }[]>>(path);
      await owner.send("PUT", `/api/v1/faqs/${faqs[0]?.id}`, { content: `edited ${round}` });
      await owner.send("DELETE", `${path}/faqs/${faqs[1]?.id}`);
      await owner.send("DELETE", `/api/v1/faqs/${faqs[2]?.id}`);
      await owner.send("DELETE", `${path}/playbooks/${playbooks[0]?.id}`);
      await owner.send("PUT", `/api/v1/playbooks/${playbooks[1]?.id}`, { content: `edited ${round}` });
      const before = await diffOf(path, 1, "draft");
      expect(before.length).toBeGreaterThan(3);
      await cutOff(`${path}/versions/1/restore`, {}, after);
      const left = await diffOf(path, 1, "draft");
      expect([[], before], "half of what was restored").toContainEqual(left);
      const isDone = left.length === 0;
      outcomes.add(isDone);
      after *= isDone ? 0.5 : 2;
      await owner.post(`${path}/versions/1/restore`);
      expect(await diffOf(path, 1, "draft")).toEqual([]);
      expect((await owner.get<{ agent: object }>(`${path}/versions/1`)).agent).toEqual(whole.agent);
    }
    expect(outcomes.size, "killed before it was decided, and after").toBe(2);
  }, 300_000);
});
