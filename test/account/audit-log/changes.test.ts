import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedFields } from "../../../src/kernel/db/audit-changes.ts";
import { contactsCsv, ready, upload } from "../../campaign/support.ts";
import { operator, tenant } from "../../support/client.ts";
import { widgetTenant } from "../../support/widget.ts";
import { latest, log } from "./support.ts";

const valueChange = (from: unknown, to: unknown) => ({ from, to });

describe("changed fields", () => {
  const SHOWN = ["plan", "caps", "quotas", "status", "disabled"];
  const fieldName = fc.oneof(fc.constantFrom(...SHOWN, "system_prompt", "secrets", "__proto__"), fc.string());
  // No two values are equal, so that each can be searched for.
  let n = 0;
  const value = fc.constant(null).map(() => `value-${++n}-`);
  const nested = fc.oneof(
    value,
    value.map((text) => ({ deep: [text] })),
  );
  const row = fc.dictionary(fieldName, nested, { noNullPrototype: false });

  it("never contain an old or new value of a field that is shown by name alone", () => {
    fc.assert(
      fc.property(row, row, (before, sent) => {
        const shown = JSON.stringify(changedFields(before, sent));
        for (const fields of [before, sent]) {
          for (const [field, value] of Object.entries(fields)) {
            const [marker = ""] = /value-\d+-/.exec(JSON.stringify(value)) ?? [];
            if (!SHOWN.includes(field)) expect(shown).not.toContain(marker);
          }
        }
      }),
    );
  });

  it("changed fields are those that were sent and differ, each once", () => {
    fc.assert(
      fc.property(row, row, fc.boolean(), (before, sent, same) => {
        const given = same ? { ...sent, ...before } : sent;
        const differing = Object.keys(given).filter((field) => !same || !Object.hasOwn(before, field));
        expect(Object.keys(changedFields(before, given)).sort()).toEqual(differing.sort());
      }),
    );
    expect(changedFields({ a: 1 }, { a: undefined, b: undefined })).toEqual({});
    expect(changedFields({ a: 1, status: "x" }, { a: null, status: "y" })).toEqual({
      a: null,
      status: valueChange("x", "y"),
    });
  });
});

describe("the changes in the audit log", () => {
  it("name the fields of an agent that differ, and its status by value", async () => {
    const { user } = await tenant();
    const { id } = (await user.post<{ id: string }>("/api/v1/agents", { name: "A", system_prompt: "one" })).body;
    expect(await latest(user)).toEqual(["create", "agent", null]);
    const change = (body: object) => user.patch(`/api/v1/agents/${id}`, body);
    await change({ name: "A", system_prompt: "the hidden plan", status: "active", greeting_message: "" });
    expect(await latest(user)).toEqual([
      "update",
      "agent",
      { system_prompt: null, status: valueChange("draft", "active") },
    ]);
    await change({ status: "active", name: "B" });
    expect(await latest(user)).toEqual(["update", "agent", { name: null }]);
    const before = await log(user);
    await change({ status: "active" });
    expect(await log(user)).toEqual(before);
    const { prompts } = (await user.get<{ prompts: { id: string }[] }>(`/api/v1/agents/${id}/prompts`)).body;
    await user.post(`/api/v1/agents/${id}/prompts/${prompts[1]?.id}/activate`);
    expect(await latest(user)).toEqual(["activate_prompt", "agent", { active_prompt_id: null, system_prompt: null }]);
    const tool = (config: object) => user.put(`/api/v1/agents/${id}/tools`, { tool_name: "send_sms", config });
    await tool({});
    expect(await latest(user)).toEqual(["set_tool", "agent", null]);
    await tool({ to: "a" });
    expect(await latest(user)).toEqual(["set_tool", "agent", { config: null }]);
  });

  it("show a status exactly when many requests change it at once", async () => {
    const { user } = await tenant();
    const path = `/api/v1/agents/${(await user.post<{ id: string }>("/api/v1/agents", { name: "A" })).body.id}`;
    const statuses = ["active", "archived", "draft", "active", "archived", "draft", "archived", "active"];
    await Promise.all(statuses.map((status) => user.patch(path, { status })));
    const last = (await user.get<{ status: string }>(path)).body.status;
    const steps = (await log(user, "action=update&limit=100")).flatMap(({ changes }) => changes?.status ?? []);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter(({ from, to }) => from === to)).toEqual([]);
    // Except for the first and the last one, each status is left as often as it is entered.
    const left = ["draft", ...steps.map(({ to }) => to)].sort();
    expect([last, ...steps.map(({ from }) => from)].sort()).toEqual(left);
  });

  it("name the fields of tools, playbooks, FAQs and numbers that differ", async () => {
    const { user } = await tenant();
    await user.put("/api/v1/tools/send_sms", { implementation_code: "print('x')", description: "d" });
    expect(await latest(user)).toEqual(["update", "tool", { implementation_code: null, description: null }]);
    await user.put("/api/v1/tools/send_sms", { implementation_code: "print('x')", tags: ["a"] });
    expect(await latest(user)).toEqual(["update", "tool", { tags: null }]);
    await user.put("/api/v1/playbooks/qualify_lead", { content: "# Mine" });
    expect(await latest(user)).toEqual(["update", "playbook", { content: null }]);
    await user.put("/api/v1/faqs/opening_hours", { title: "Hours" });
    expect(await latest(user)).toEqual(["update", "faq", { title: null }]);
    const { agent_id } = await ready({ server: user });
    const { numbers } = (await user.get<{ numbers: { id: string }[] }>("/api/v1/telephony/numbers")).body;
    const pin = (id: string | null) => user.patch(`/api/v1/telephony/numbers/${numbers[0]?.id}`, { agent_id: id });
    await pin(agent_id);
    expect(await latest(user)).toEqual(["update", "phone_number", { agent_id: null }]);
    const before = await log(user);
    await pin(agent_id);
    expect(await log(user)).toEqual(before);
  });

  it("show whether keys and widget keys were disabled, and are now", async () => {
    const { user, widgetKey, agentId } = await widgetTenant();
    const created = await user.post<{ id: string }>("/api/v1/api-keys", { name: "one" });
    for (const [path, resource] of [
      [`/api/v1/api-keys/${created.body.id}`, "api_key"],
      [`/api/v1/widget-keys/${widgetKey.id}`, "widget_key"],
    ] as const) {
      const change = async (body: object) => {
        expect((await user.patch(path, body)).status).toBe(204);
        return latest(user);
      };
      const update = (changes: unknown) => ["update", resource, changes];
      expect(await change({ disabled: true, name: "two" })).toEqual(
        update({ name: null, disabled: valueChange(false, true) }),
      );
      // Setting the current value is not a change.
      expect(await change({ disabled: true })).toEqual(update({ name: null, disabled: valueChange(false, true) }));
      expect(await change({ disabled: false })).toEqual(update({ disabled: valueChange(true, false) }));
      expect(await change({ name: "three" })).toEqual(update({ name: null }));
    }
    const before = (await log(user)).length;
    const nobody = await user.patch(`/api/v1/api-keys/${crypto.randomUUID()}`, { disabled: true });
    expect([nobody.status, (await log(user)).length]).toEqual([404, before]);
    await user.patch("/api/v1/widget-settings", { launcher_label: "Hi" });
    expect(await latest(user)).toEqual(["update", "widget_settings", { launcher_label: null }]);
    const policy = `/api/v1/agents/${agentId}/widget-settings`;
    await user.patch(policy, { widget_enabled: true, auth_mode: "public" });
    expect(await latest(user)).toEqual(["update", "agent_widget_settings", { auth_mode: null }]);
  });

  it("show an account's plan, caps and status by value, in its own log", async () => {
    const [{ account, user }, admin] = [await tenant({ plan: "starter" }), await operator()];
    const change = async (body: object) => {
      expect((await admin.patch(`/api/admin/v1/accounts/${account}`, body)).status).toBe(200);
      return body;
    };
    await change({ plan: "growth", listed: false, caps: { concurrent_calls: 3, calls_per_day: null } });
    expect(await latest(user)).toEqual([
      "update",
      "account",
      {
        plan: valueChange("starter", "growth"),
        caps: valueChange({ concurrent_calls: null }, { concurrent_calls: 3 }),
      },
    ]);
    await change({ plan: "growth", caps: { concurrent_calls: 3 }, display_name: "Other" });
    expect(await latest(user)).toEqual(["update", "account", { display_name: null }]);
    await change({ disabled: true, caps: { concurrent_calls: null } });
    await change({ disabled: false });
    const [opened, closed] = await log(user);
    expect(opened?.changes).toEqual({ disabled: valueChange(true, false) });
    expect(closed?.changes).toEqual({
      caps: valueChange({ concurrent_calls: 3 }, { concurrent_calls: null }),
      disabled: valueChange(false, true),
    });
    const before = await log(user);
    await change({});
    expect(await log(user)).toEqual(before);
  });

  it("show a campaign's settings by name and its status by value", async () => {
    const who = await tenant();
    const { body } = await upload(who.server, contactsCsv(1), {
      ...(await ready(who)),
      scheduled_at: "2099-01-01T00:00:00Z",
    });
    const path = `/api/v1/campaigns/${body.id}`;
    await who.server.patch(path, { name: "Mine", timezone: body.timezone, max_concurrency: 2 });
    const changed = { name: null, max_concurrency: null, timezone_chosen: null };
    expect(await latest(who.server)).toEqual(["update", "campaign", changed]);
    for (const [operation, from, to] of [
      ["start", "draft", "running"],
      ["pause", "running", "paused"],
      ["resume", "paused", "running"],
      ["stop", "running", "stopped"],
    ] as const) {
      expect((await who.server.post(`${path}/${operation}`)).status).toBe(200);
      expect(await latest(who.server)).toEqual([operation, "campaign", { status: valueChange(from, to) }]);
    }
    const history = await who.server.get<string>(`${path}/history`);
    expect(history.body).toContain('"name,max_concurrency,timezone_chosen"');
  });
});
