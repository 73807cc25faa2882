import { expect, inject, it, vi } from "vitest";
import { releaseBefore } from "../../support/release-before.ts";
import { startScript } from "../../support/worker.ts";

/**
 * Tests a gradual deployment, in which the Worker of one release calls objects of the other, and D1 is already
 * migrated. If the clone has no earlier release, both are this release, and only the procedure is tested.
 * RELEASE_BEFORE names another main module.
 */
const found = process.env.RELEASE_BEFORE || (await releaseBefore());
const NOW = inject("deployedWorker");
const BEFORE = found ?? NOW;
const VARS = { SANDBOX_RING_MS: "5", SANDBOX_TALK_MS: "5" };
const PEOPLE = ["+13035550101", "+13035550102", "+13035550103"];
const WAIT = { timeout: 90_000, interval: 200 };

it.each([
  ["before", "now", BEFORE, NOW],
  ["now", "before", NOW, BEFORE],
])(
  "the Worker of %s runs a campaign on the objects of %s",
  async (_, __, worker, objects) => {
    const service = await startScript(worker, VARS, objects);
    try {
      const request = async <T>(headers: Record<string, string>, path: string, body?: unknown): Promise<T> => {
        const init = body === undefined ? { headers } : { method: "POST", headers, body: body as BodyInit };
        const response = await fetch(service.origin + path, init);
        const text = await response.text();
        expect(response.ok, `${path}: ${text}`).toBe(true);
        return JSON.parse(text) as T;
      };
      const json = (headers: Record<string, string>) => Object.assign({ "content-type": "application/json" }, headers);
      const operator = await service.signIn("service-admin");
      await request(json(operator), "/api/admin/v1/accounts", JSON.stringify({ name: "two", plan: "scale" }));
      const owner = await service.signIn("two");
      const agent = await request<{ id: string }>(
        json(owner),
        "/api/v1/agents",
        JSON.stringify({ name: "Reception", status: "active", greeting_message: "Hello." }),
      );
      const number = { e164: "+12025550100", provider: "sandbox", agent_id: agent.id };
      await request(json(owner), "/api/v1/telephony/numbers", JSON.stringify(number));
      const form = new FormData();
      form.set("name", "Two releases");
      form.set("agent_id", agent.id);
      form.set("from_number", number.e164);
      form.set("contacts", new File([`phone_number\n${PEOPLE.join("\n")}\n`], "contacts.csv", { type: "text/csv" }));
      const { id } = await request<{ id: string }>(owner, "/api/v1/campaigns", form);
      await request(json(owner), `/api/v1/campaigns/${id}/start`, "{}");
      await vi.waitFor(async () => {
        const campaign = await request<{ status: string }>(owner, `/api/v1/campaigns/${id}`);
        expect(campaign.status).toBe("completed");
      }, WAIT);
      await vi.waitFor(async () => {
        const { calls } = await request<{ calls: { to_number: string }[] }>(owner, "/api/v1/calls");
        // No one is dialed twice.
        expect(calls.map(({ to_number }) => to_number).sort()).toEqual(PEOPLE);
      }, WAIT);
    } finally {
      await service.stop();
    }
  },
  240_000,
);
