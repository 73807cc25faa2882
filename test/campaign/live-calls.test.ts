import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type Call, caller, getCall, running, sandboxOf, slowly, withVars } from "../phone/calls/support.ts";
import { evict } from "../support/evict.ts";
import { campaignOf, report, withRinging } from "./held-calls.ts";
import { type Campaign, contactOf, contactsCsv, FROM, started, until, upload } from "./support.ts";

const over = ({ body }: { body: Campaign }) => body.status === "completed";

describe("a machine reported after the call was answered", () => {
  it("a machine reported after the answer is hung up on, and the contact is retried or fails", async () => {
    const { who, path, callId } = await withRinging(1, {
      retry_config: JSON.stringify({ max_attempts: 2, retry_interval_minutes: 0.0001, retry_on: ["machine"] }),
    });
    await report(who, path, callId, { status: "in-progress" });
    expect(await contactOf(who.server, path)).toMatchObject({ status: "connected", outcome: null });
    await report(who, path, callId, { status: "in-progress", answered_by: "machine" });
    const again = await until(
      () => contactOf(who.server, path),
      ({ attempt_count }) => attempt_count === 2,
    );
    expect(again.attempts[0]).toMatchObject({ outcome: "machine" });
    const second = String(again.attempts[1]?.call_id);
    await report(who, path, second, { status: "in-progress", answered_by: "machine" });
    await until(() => who.server.get<Campaign>(path), over);
    expect(await contactOf(who.server, path)).toMatchObject({ status: "failed", outcome: "machine" });
    for (const id of [callId, second])
      expect((await sandboxOf(who).look(id))?.status, "hung up at the carrier").toMatch(/completed|canceled/);
    expect(await running(who.server)).toBe(0);
  });

  it("still counts after the call has ended, while the campaign is open", async () => {
    const { who, path, callIds } = await withRinging(2);
    const [first = "", second = ""] = callIds;
    await report(who, path, first, { status: "in-progress" });
    await report(who, path, first, { status: "completed" });
    expect(await contactOf(who.server, path)).toMatchObject({ status: "completed", outcome: "answered" });
    await report(who, path, first, { status: "in-progress", answered_by: "machine" });
    expect(await contactOf(who.server, path)).toMatchObject({ status: "failed", outcome: "machine" });
    expect((await who.server.get<Campaign>(path)).body.counts).toMatchObject({ completed: 0, failed: 1 });
    await report(who, path, second, { status: "busy" });
    await until(() => who.server.get<Campaign>(path), over);
  });
});

describe("a call whose final event never arrives", () => {
  it("a call without a final event is reconciled at once when the campaign object restarts", async () => {
    const { who, path, callId } = await withRinging(1);
    await report(who, path, callId, { status: "in-progress" });
    await withVars(sandboxOf(who), { SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "1" });
    await runInDurableObject(sandboxOf(who), (_, state) => state.storage.sql.exec("DELETE FROM reports"));
    // The next scheduled round would be much later.
    await runInDurableObject(campaignOf(who, path), (_, state) => state.storage.setAlarm(Date.now() + 3_600_000));
    await evict(campaignOf(who, path));
    await until(() => who.server.get<Campaign>(path), over);
    expect(await contactOf(who.server, path)).toMatchObject({ status: "completed", outcome: "answered" });
    await until(
      () => running(who.server),
      (n) => n === 0,
    );
  });

  it("can be hung up through its campaign, which continues", async () => {
    const who = await caller({ caps: { concurrent_calls: 1 } });
    const path = await started(who, `phone_number\n+13035550106\n+13035550110\n`);
    const stuck = await until(
      () => contactOf(who.server, path),
      ({ status }) => status === "connected",
    );
    const callId = String(stuck.attempts[0]?.call_id);
    await until(
      () => getCall(who.server, callId),
      ({ status }) => status === "in-progress",
    );
    const answer = await who.server.post<Call>(`/api/v1/calls/${callId}/hangup`);
    expect(answer).toMatchObject({ status: 200, body: { status: "completed" } });
    await until(() => who.server.get<Campaign>(path), over);
    expect((await who.server.get<Campaign>(path)).body.counts).toMatchObject({ completed: 2 });
  });
});

describe("a call in progress", () => {
  it("keeps its number and agent when those of the campaign change or are deleted", async () => {
    const { who, path, callId } = await withRinging(1);
    const { server } = who;
    const before = await getCall(server, callId);
    expect((await server.post(`${path}/pause`)).status).toBe(200);
    const agent = (await server.post<{ id: string }>("/api/v1/agents", { name: "Other", status: "active" })).body;
    await server.post("/api/v1/telephony/numbers", { e164: "+12025550199", provider: "sandbox" });
    const other = { from_number: "+12025550199", agent_id: agent.id };
    expect((await server.patch(path, other)).status).toBe(200);
    type Numbers = { numbers: { id: string; e164: string }[] };
    const { numbers } = (await server.get<Numbers>("/api/v1/telephony/numbers")).body;
    const own = numbers.find(({ e164 }) => e164 === FROM);
    expect((await server.delete(`/api/v1/telephony/numbers/${own?.id}`)).status).toBe(204);

    expect((await report(who, path, callId, { status: "in-progress" })).status).toBe(204);
    expect(await contactOf(server, path)).toMatchObject({ status: "connected" });
    const recording = { id: "R1", url: "", duration_ms: 500, content_type: "audio/wav" };
    expect((await report(who, path, callId, { status: "in-progress", recording })).status).toBe(204);
    await until(
      () => server.get<{ total: number }>(`/api/v1/recordings?call_id=${callId}`),
      ({ body }) => body.total === 1,
    );
    const answer = await server.post<Call>(`/api/v1/calls/${callId}/hangup`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ from_number: before.from_number, agent_id: before.agent_id });
    expect(answer.body.ended_at).not.toBeNull();
  });

  it("ignores a signed report that belongs to another call", async () => {
    const { who, path, callIds } = await withRinging(2);
    const [first = "", second = ""] = callIds;
    const forged = await report(who, path, first, { provider_call_id: second, status: "completed" });
    expect([forged.status, forged.code]).toEqual([403, "another_call"]);
    expect(await contactOf(who.server, path)).toMatchObject({ status: "originated" });
  });
});

describe("deleting a campaign with calls in progress", () => {
  it("hangs up the calls and settles them first", async () => {
    const { who, path, callIds } = await withRinging(3);
    const { server } = who;
    const [first = ""] = callIds;
    await report(who, path, first, { status: "in-progress" });
    await server.post(`${path}/pause`);
    expect((await server.delete(path)).status).toBe(204);
    expect((await server.get(path)).status).toBe(404);
    for (const id of callIds) {
      expect((await sandboxOf(who).look(id))?.status).toMatch(/completed|canceled/);
      expect((await getCall(server, id)).ended_at).not.toBeNull();
    }
    expect(await running(server)).toBe(0);
    // The call's own record receives the carrier's later reports.
    expect((await report(who, path, first, { status: "completed" })).status).toBe(204);
  });

  it("deleting a campaign is refused without loss if the carrier fails to hang up", async () => {
    const { who, path, callId } = await withRinging(1);
    const { server } = who;
    await server.post(`${path}/pause`);
    const rename = (from: string, to: string) =>
      runInDurableObject(sandboxOf(who), (_, state) => state.storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`));
    // From here on the carrier doesn't respond.
    await rename("calls", "away");
    const refused = await server.delete(path);
    expect([refused.status, refused.code]).toEqual([409, "calls_under_way"]);
    expect(await contactOf(server, path)).toMatchObject({ status: "originated" });
    expect(await running(server)).toBe(1);
    expect((await getCall(server, callId)).ended_at).toBeNull();
    await rename("away", "calls");
    expect((await server.delete(path)).status).toBe(204);
    expect((await getCall(server, callId)).ended_at).not.toBeNull();
    expect(await running(server)).toBe(0);
  });
});

describe("a number added to the do-not-call list", () => {
  it("a number added to the do-not-call list is not dialed, even if already selected for the round", async () => {
    const who = await caller();
    await slowly(who);
    const { server, agent_id, from_number } = who;
    const created = await upload(server, contactsCsv(20), { agent_id, from_number, calls_per_minute: "5" });
    const path = `/api/v1/campaigns/${created.body.id}`;
    await server.post(`${path}/start`);
    await until(
      () => server.get<Campaign>(path),
      ({ body }) => body.counts.originated === 5,
    );
    type Page = { contacts: { phone_number: string; status: string }[] };
    const { contacts } = (await server.get<Page>(`${path}/contacts?limit=1000&status=pending`)).body;
    const numbers = contacts.map(({ phone_number }) => phone_number);
    expect((await server.post("/api/v1/do-not-call", { numbers })).body).toEqual({ added: 15 });
    await server.post(`${path}/pause`);
    await server.patch(path, { calls_per_minute: null });
    await server.post(`${path}/resume`);
    await until(
      () => server.get<Campaign>(path),
      ({ body }) => body.counts.failed === 15,
    );
    expect((await server.get<{ total: number }>("/api/v1/calls")).body.total).toBe(5);
  });
});
