import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import { audioKey } from "../../../src/phone/recordings/audio-store.ts";
import { type Campaign, contactsCsv, heldUpload, until, upload } from "../../campaign/support.ts";
import { conversing, recordOnce } from "../../conversation/runtime/conversing.ts";
import { playbackPath } from "../../phone/recordings/support.ts";
import { apiKey, BASE, type Client, type Tenant, tenant } from "../../support/client.ts";
import { callAt, haveVolumes, ledgerOf } from "../../support/ledger.ts";
import { type Person, person } from "../../support/person.ts";
import { use } from "../quotas/support.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Creates an owner and a member with the role operator, who may place calls. */
async function team(who: Pick<Tenant, "account">) {
  const boss = await person(who.account);
  const ada = await person(who.account);
  expect((await boss.client.patch(`/api/v1/members/${ada.id}`, { role: "operator" })).status).toBe(200);
  return { boss, ada };
}

/** Reads a live stream until the service ends it. */
async function stream({ headers }: Client, path: string) {
  const { body, status } = await exports.default.fetch(new Request(BASE + path, { headers }));
  expect([path, status]).toEqual([path, 200]);
  const reader = body?.getReader() ?? expect.fail("there is no stream");
  return async () => {
    while (!(await reader.read()).done);
    return true;
  };
}

interface Team {
  boss: Person;
  ada: Person;
}

const NARROWED: [what: string, narrow: (team: Team) => Promise<{ status: number }>][] = [
  ["a role is taken away", ({ boss, ada }) => boss.client.patch(`/api/v1/members/${ada.id}`, { role: "viewer" })],
  ["a member is removed", ({ boss, ada }) => boss.client.delete(`/api/v1/members/${ada.id}`)],
  [
    "a session is ended from another",
    async ({ ada }) => {
      const { sessions } = (await ada.client.get<{ sessions: { id: string; current: boolean }[] }>("/api/sessions"))
        .body;
      const { id } = sessions.find(({ current }) => current) ?? { id: "" };
      return (await ada.session()).delete(`/api/sessions/${id}`);
    },
  ],
  [
    "the policy requires what a session has not shown",
    ({ boss }) => boss.client.patch("/api/v1/sign-in-policy", { require_second_factor: true }),
  ],
];

describe("an open stream or upload", () => {
  it.each(NARROWED)(
    "open streams of events, campaigns and conversations, and uploads, end when %s",
    async (_, narrow) => {
      const { call: held } = await conversing();
      const { id } = await recordOnce(held, () => true);
      const who = await team(held);
      const campaign = await upload(who.ada.client, contactsCsv(2));
      const { client } = who.ada;
      const paths = [
        "/api/v1/events/stream",
        `/api/v1/campaigns/${campaign.body.id}/events`,
        `/api/v1/conversations/${id}/events`,
      ];
      const streams = await Promise.all(paths.map((path) => stream(client, path)));
      const server = await apiKey(held.user, { scopes: ["read"] });
      const form = heldUpload(client);
      await until(
        () => use({ server: held.user }, "uploads"),
        (uploads) => uploads?.used === 1,
      );
      expect((await narrow(who)).status).toBeLessThan(300);
      expect(await Promise.all(streams.map((ended) => ended()))).toEqual([true, true, true]);
      expect((await form.answer).status).toBeGreaterThanOrEqual(401);
      const { campaigns } = (await server.server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body;
      expect(campaigns.map((one) => one.id)).toEqual([campaign.body.id]);
    },
  );
});

describe("an export in progress", () => {
  async function begun() {
    const one = await tenant();
    const who = await team(one);
    const campaign = await upload(who.ada.client, contactsCsv(5_000));
    const request = new Request(`${BASE}/api/v1/campaigns/${campaign.body.id}/export`, {
      headers: who.ada.client.headers,
    });
    const { body, status } = await app.fetch(request, env, createExecutionContext());
    expect(status).toBe(200);
    const reader = body?.getReader() ?? expect.fail("there is no file");
    expect((await reader.read()).done).toBe(false);
    const rest = async () => {
      while (!(await reader.read()).done);
      return "all of it";
    };
    return { who, rest };
  }
  const aWhileLater = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 });

  it("stops once a role is taken away", async () => {
    const { who, rest } = await begun();
    await who.boss.client.patch(`/api/v1/members/${who.ada.id}`, { role: "viewer" });
    aWhileLater();
    await expect(rest()).rejects.toThrow("access was revoked");
  });

  it("an export of usage or of a recording's audio stops once a role is taken away", async () => {
    const one = await tenant();
    await haveVolumes(one, ["2025-01-01"]);
    const months = Array.from({ length: 12 }, (_, i) => `2025-${String(i + 1).padStart(2, "0")}-15T10:00:00.000Z`);
    const calls = months.map((at) => callAt(at));
    const [call] = calls;
    const row = {
      id: idBeside(call?.id ?? ""),
      call_id: call?.id ?? "",
      agent_id: "agent",
      campaign_id: null,
      content_type: "audio/wav",
      size_bytes: 1,
      duration_ms: 1_000,
      provider: "sandbox" as const,
      provider_recording_id: "rec",
      created_at: months[0] ?? "",
    };
    await ledgerOf(one).report([...calls, { part: "recording", row }]);
    await env.RECORDINGS.put(audioKey(one.account, row.id), new Uint8Array(4 * 1024 * 1024));
    const who = await team(one);
    const { headers } = who.ada.client;
    const files: [path: string, headers: Record<string, string>][] = [
      ["/api/v1/usage?from=2025-01-01&to=2026-01-01&group_by=day", Object.assign({ accept: "text/csv" }, headers)],
      [await playbackPath(who.ada.client, row.id), {}],
    ];
    const readers = await Promise.all(
      files.map(async ([path, sent]) => {
        const request = new Request(BASE + path, { headers: sent });
        const { body, status } = await app.fetch(request, env, createExecutionContext());
        expect([path, status]).toEqual([path, 200]);
        return body?.getReader() ?? expect.fail("there is no file");
      }),
    );
    await who.boss.client.delete(`/api/v1/members/${who.ada.id}`);
    aWhileLater();
    const ends = readers.map(async (reader) => {
      while (!(await reader.read()).done);
      return "all of it";
    });
    const outcomes = await Promise.all(ends.map((end) => end.catch(String)));
    expect(outcomes).toEqual(["Error: access was revoked", "Error: access was revoked"]);
  });

  it("an export continues to its end for a reader with access", async () => {
    const { rest } = await begun();
    aWhileLater();
    expect(await rest()).toBe("all of it");
  });
});
