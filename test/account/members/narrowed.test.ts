import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { type Campaign, contactsCsv, heldUpload, until, upload } from "../../campaign/support.ts";
import { conversing, recordOnce } from "../../conversation/runtime/conversing.ts";
import { apiKey, BASE, type Client, type Tenant, tenant } from "../../support/client.ts";
import { type Person, person } from "../../support/person.ts";
import { use } from "../quotas/support.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** An account with an owner, and somebody who places calls there. */
async function team(who: Pick<Tenant, "account">) {
  const boss = await person(who.account);
  const ada = await person(who.account);
  expect((await boss.client.patch(`/api/v1/members/${ada.id}`, { role: "operator" })).status).toBe(200);
  return { boss, ada };
}

/** Reads a live stream to its end, which the service makes. */
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

describe("what is open while", () => {
  it.each(NARROWED)(
    "%s ends: streams of events, of a campaign and of a conversation, and an upload",
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

describe("an export under way", () => {
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

  it("breaks off once a role is taken away", async () => {
    const { who, rest } = await begun();
    await who.boss.client.patch(`/api/v1/members/${who.ada.id}`, { role: "viewer" });
    aWhileLater();
    await expect(rest()).rejects.toThrow("access was revoked");
  });

  it("goes on to its end for whoever may have it", async () => {
    const { rest } = await begun();
    aWhileLater();
    expect(await rest()).toBe("all of it");
  });
});
