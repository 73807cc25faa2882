import { describe, expect, it } from "vitest";
import { type Caller, caller } from "../phone/calls/support.ts";
import { call, tenant } from "../support/client.ts";
import { type Campaign, contactOf, contactsCsv, started, until, upload } from "./support.ts";

const DEFAULTS = { max_attempts: 1, retry_interval_minutes: 60, retry_on: ["busy", "no_answer"] };
const RETRY = { max_attempts: 4, retry_interval_minutes: 5, intervals_minutes: [1, 2.5], retry_on: ["failed"] };

async function draft(fields: Record<string, string> = {}) {
  const { server } = await tenant();
  const { status, body } = await upload(server, contactsCsv(1), fields);
  expect([status, body]).toEqual([201, expect.anything()]);
  return { server, path: `/api/v1/campaigns/${body.id}`, body };
}
const retrying = (config: object) => draft({ retry_config: JSON.stringify(config) });

describe("retry_config", () => {
  it("accepts several intervals, or the single interval", async () => {
    expect((await retrying(RETRY)).body.retry_config).toEqual(RETRY);
    expect((await draft()).body.retry_config).toEqual(DEFAULTS);
    const { server, body } = await retrying({ intervals_minutes: [0, 43_200] });
    expect(body.retry_config).toEqual({ ...DEFAULTS, intervals_minutes: [0, 43_200] });
    const { campaigns } = (await server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body;
    expect(campaigns).toEqual([body]);
  });

  it.each([[[]], [Array.from({ length: 21 }, () => 1)], [[-1]], [[43_201]], [["5"]], [5]])(
    "retry_config refuses waits of %j, in the form and afterwards",
    async (intervals_minutes) => {
      const { server, path, body } = await draft();
      const form = await upload(server, contactsCsv(1), { retry_config: JSON.stringify({ intervals_minutes }) });
      const patch = await server.patch<string>(path, { retry_config: { intervals_minutes } });
      for (const answer of [form, patch])
        expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("intervals_minutes")]);
      expect((await server.get(path)).body).toEqual(body);
    },
  );

  it("keeps members that a change omits", async () => {
    const { server, path } = await retrying(RETRY);
    const change = async (retry_config: unknown) =>
      (await server.patch<Campaign>(path, { retry_config })).body.retry_config;
    expect(await change({ max_attempts: 3 })).toEqual({ ...RETRY, max_attempts: 3 });
    expect(await change({})).toEqual({ ...RETRY, max_attempts: 3 });
    expect(await change({ retry_on: ["machine"] })).toEqual({ ...RETRY, max_attempts: 3, retry_on: ["machine"] });
    expect(await change({ intervals_minutes: [7] })).toMatchObject({ max_attempts: 3, intervals_minutes: [7] });
    const { intervals_minutes: _, ...plain } = RETRY;
    expect(await change({ intervals_minutes: null, max_attempts: 4, retry_on: ["failed"] })).toEqual(plain);
  });

  it("restores defaults by null, for one member or all", async () => {
    const { server, path } = await retrying(RETRY);
    const change = async (retry_config: unknown) =>
      (await server.patch<Campaign>(path, { retry_config })).body.retry_config;
    expect(await change({ retry_interval_minutes: null, retry_on: null })).toEqual({
      ...RETRY,
      retry_interval_minutes: 60,
      retry_on: DEFAULTS.retry_on,
    });
    expect(await change({ max_attempts: null })).toMatchObject({ max_attempts: 1, intervals_minutes: [1, 2.5] });
    expect(await change(null)).toEqual(DEFAULTS);
  });

  it("a change of retry_config is one entry in history and audit log", async () => {
    const { server, path } = await retrying(RETRY);
    type Log = { entries: { action: string; changes: Record<string, unknown> | null }[] };
    const changes = async () => {
      const { entries } = (await server.get<Log>("/api/v1/audit-log?action=update")).body;
      return entries.map((entry) => Object.keys(entry.changes ?? {}));
    };
    await server.patch(path, { retry_config: { max_attempts: 3 }, name: "Other" });
    await server.patch(path, { retry_config: { max_attempts: 3 } });
    expect(await changes()).toEqual([expect.arrayContaining(["name", "retry_config"])]);
  });

  it("a changed retry_config applies after the first call and after the second", async () => {
    const who: Caller = await caller();
    const config = { max_attempts: 3, intervals_minutes: [0.0001, 90], retry_interval_minutes: 5, retry_on: ["busy"] };
    const path = await started(who, contactsCsv(1, "01"), { retry_config: JSON.stringify(config) });
    const waiting = await until(
      () => contactOf(who.server, path),
      // While the carrier is being asked, a contact is still pending, and no time for another attempt is set.
      ({ attempt_count, next_attempt_at }) => attempt_count === 2 && next_attempt_at !== null,
    );
    const ended = Date.parse(String(waiting.attempts[1]?.ended_at));
    expect(Date.parse(waiting.next_attempt_at ?? "") - ended).toBe(90 * 60_000);
    expect(waiting.waiting_for).toBe(`the next attempt is due at ${waiting.next_attempt_at}`);
    type Plan = { waiting: Record<string, number>; next_dial_at: string };
    const { body } = await who.server.get<Plan>(`${path}/plan`);
    expect(body).toMatchObject({ waiting: { retry: 1 }, next_dial_at: expect.any(String) });
    // Waiting contacts are grouped by the minute.
    const early = Date.parse(waiting.next_attempt_at ?? "") - Date.parse(body.next_dial_at);
    expect(Math.abs(early)).toBeLessThanOrEqual(60_000);
  });
});

describe("the description of a campaign's settings", () => {
  type Schema = { $ref?: string; properties?: Record<string, Schema>; required?: string[]; description?: string };
  type Document = { components: { schemas: Record<string, Schema & { example?: unknown }> } };

  it("marks every member of a change optional, with description and example for each field", async () => {
    const { schemas } = (await call<Document>("GET", "/openapi.json")).body.components;
    const patch = schemas.UpdateCampaignRequest;
    expect(patch?.required ?? []).toEqual([]);
    expect(patch?.properties?.retry_config?.required ?? []).toEqual([]);
    const { properties: members = {} } = patch?.properties?.retry_config ?? {};
    expect(Object.keys(members)).toEqual(["max_attempts", "retry_interval_minutes", "intervals_minutes", "retry_on"]);
    const form = schemas.CreateCampaignRequest?.properties ?? {};
    expect(Object.keys(form)).toContain("voicemail");
    const { contacts: _, ...fields } = form;
    for (const [name, field] of Object.entries({ ...fields, ...patch?.properties, ...members })) {
      expect(field.description, name).toMatch(/^.{10,}\.$/);
      expect(field, name).toHaveProperty("example");
    }
  });
});
