import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import worker from "../../../src/index.ts";
import { contactsCsv, isOver, ready, upload, watch } from "../../campaign/support.ts";
import { BASE, operator, tenant } from "../../support/client.ts";
import { onLedger } from "../../support/ledger.ts";
import { type Calls, caller, getCall, originate, report, settled } from "../calls/support.ts";
import { idle, playbackPath, type Recordings, recordingOf, stored } from "./support.ts";

const play = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(new Request(BASE + path, { headers }));

async function recorded() {
  const who = await caller();
  const { call_id } = (await originate(who, "+13035550110")).body;
  return { ...who, call_id, recording: await recordingOf(who.server, call_id) };
}

describe("recordings", () => {
  it("a carrier's recording is stored, listed and named on its call", async () => {
    const { server, call_id, agent_id, recording } = await recorded();
    expect(recording).toMatchObject({
      call_id,
      agent_id,
      campaign_id: null,
      content_type: "audio/wav",
      size_bytes: 4044,
      duration_ms: 500,
    });
    expect((await server.get(`/api/v1/recordings/${recording.id}`)).body).toEqual(recording);
    const total = async (query: string) => (await server.get<Recordings>(`/api/v1/recordings?${query}`)).body.total;
    expect(await total(`agent_id=${agent_id}`)).toBe(1);
    expect(await total(`agent_id=${crypto.randomUUID()}`)).toBe(0);
    expect(await total(`call_id=${crypto.randomUUID()}`)).toBe(0);
    const call = await settled(server, call_id, ({ recording_id }) => recording_id !== null);
    expect(call.recording_id).toBe(recording.id);
  });

  it("a recording shows the other person's number", async () => {
    const who = await caller();
    const order = { agent_id: who.agent_id, from_number: who.from_number, to_number: "+13035550110" };
    const variables = { first_name: "Ada", last_name: "Lovelace" };
    const { body } = await who.server.post<{ call_id: string }>("/api/v1/calls/originate", { ...order, variables });
    const { id } = await recordingOf(who.server, body.call_id);
    const side = { phone_number: "+13035550110", contact_name: "Ada Lovelace" };
    expect((await who.server.get(`/api/v1/recordings/${id}`)).body).toMatchObject(side);
    expect((await who.server.get("/api/v1/recordings")).body).toMatchObject({ recordings: [side] });
    // For an inbound call, it is the other number.
    await onLedger(
      who.account,
      "UPDATE calls SET direction = 'inbound', from_number = to_number, to_number = from_number WHERE id = ?",
      body.call_id,
    );
    expect((await who.server.get(`/api/v1/recordings/${id}`)).body).toMatchObject(side);
    expect((await who.server.get("/api/v1/recordings")).body).toMatchObject({ recordings: [side] });
  });

  it("a recording's signed address is valid for 15 minutes", async () => {
    const { server, recording } = await recorded();
    const { url, expires_at } = (
      await server.get<{ url: string; expires_at: string }>(`/api/v1/recordings/${recording.id}/url`)
    ).body;
    expect(url).toMatch(`${BASE}/api/recordings/`);
    const left = Date.parse(expires_at) - Date.now();
    expect(left).toBeGreaterThan(14 * 60_000);
    expect(left).toBeLessThanOrEqual(15 * 60_000);
  });

  it("a recording plays as a whole", async () => {
    const { server, recording } = await recorded();
    const path = await playbackPath(server, recording.id);
    const whole = await play(path);
    expect(whole.status).toBe(200);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "audio/wav",
      "content-length": "4044",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    const bytes = new Uint8Array(await whole.arrayBuffer());
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe("RIFF");
    expect(bytes.length).toBe(4044);
  });

  it("a recording plays a requested range, or as a whole if the range is of another file", async () => {
    const { server, recording } = await recorded();
    const path = await playbackPath(server, recording.id);
    const bytes = new Uint8Array(await (await play(path)).arrayBuffer());
    for (const [range, from, to] of [
      ["bytes=0-3", 0, 3],
      ["bytes=4000-", 4000, 4043],
      ["bytes=-44", 4000, 4043],
      ["bytes=10-99999", 10, 4043],
    ] as const) {
      const part = await play(path, { range });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to}/4044`]);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(from, to + 1));
    }
    const changed = await play(path, { range: "bytes=0-3", "if-range": '"another"' });
    expect(changed.status).toBe(200);
    await changed.body?.cancel();
  });

  it("a recording that is reported twice is stored once", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    const recording = { id: "RE1", url: "", duration_ms: null, content_type: "audio/wav" };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => report(who, call_id, { status: "completed", recording })),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const { id } = await recordingOf(who.server, call_id);
    await idle(who);
    expect((await who.server.get<Recordings>("/api/v1/recordings")).body.total).toBe(1);
    expect(await stored(who)).toEqual([id]);
  });

  it("a recording of a campaign's call is stored like any other", async () => {
    const who = await tenant();
    const settings = await ready(who);
    const created = await upload(who.server, contactsCsv(3), settings);
    const watching = watch(who.server, created.body.id, isOver);
    await who.server.post(`/api/v1/campaigns/${created.body.id}/start`);
    await watching;
    await vi.waitFor(
      async () => {
        const { recordings, total } = (await who.server.get<Recordings>("/api/v1/recordings")).body;
        expect(total).toBe(3);
        for (const { agent_id, campaign_id } of recordings)
          expect([agent_id, campaign_id]).toEqual([settings.agent_id, created.body.id]);
        const { calls } = (await who.server.get<Calls>("/api/v1/calls")).body;
        const named = calls.map(({ recording_id }) => recording_id).sort();
        expect(named).toEqual(recordings.map(({ id }) => id).sort());
      },
      { interval: 20 },
    );
  });

  it("deleting a recording deletes its audio", async () => {
    const { server, account, call_id, recording } = await recorded();
    const path = await playbackPath(server, recording.id);
    expect((await server.delete(`/api/v1/recordings/${recording.id}`)).status).toBe(204);
    expect((await server.get(`/api/v1/recordings/${recording.id}`)).status).toBe(404);
    expect((await play(path)).status).toBe(404);
    expect(await env.RECORDINGS.head(`${account}/${recording.id}`)).toBeNull();
    expect((await getCall(server, call_id)).recording_id).toBeNull();
  });

  it("a recording is deleted once it is older than the account keeps recordings", async () => {
    const [one, other] = [await recorded(), await recorded()];
    const changed = await (await operator()).patch(`/api/admin/v1/accounts/${one.account}`, {
      recording_retention_days: 7,
    });
    expect(changed.body).toMatchObject({ recording_retention_days: 7 });
    const cleanUp = async (daysLater: number) => {
      const context = createExecutionContext();
      const scheduledTime = new Date(Date.now() + daysLater * 86_400_000);
      await worker.scheduled(createScheduledController({ scheduledTime, cron: "7 * * * *" }), env);
      await waitOnExecutionContext(context);
    };
    const left = async ({ server }: typeof one) => (await server.get<Recordings>("/api/v1/recordings")).body.total;
    await cleanUp(6);
    expect([await left(one), await left(other)]).toEqual([1, 1]);
    await cleanUp(8);
    await vi.waitFor(async () => expect([await left(one), await left(other)]).toEqual([0, 1]));
    expect(await stored(one)).toEqual([]);
    expect((await getCall(one.server, one.call_id)).recording_id).toBeNull();
    await cleanUp(91);
    await vi.waitFor(async () => expect(await left(other)).toBe(0));
  });
});
