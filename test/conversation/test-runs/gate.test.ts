import { describe, expect, it } from "vitest";
import { tries } from "../../agent/versions/support.ts";
import { GOODBYE, ran, type Tested, tested, withTest } from "./support.ts";

const publish = ({ server, path }: Tested, body: object = {}) =>
  server.post<{ number: number; hash: string }>(`${path}/publish`, body);

describe("publishing under manual versioning", () => {
  it("waits for required tests to pass on exactly what is published", async () => {
    const who = await tested({ versioning: "manual" });
    const test = await withTest(who, { ...GOODBYE, required: true });
    await withTest(who, { name: "optional", steps: [{ says: "Hi" }], expect: [{ said: "never said" }] });
    const refused = await publish(who);
    expect([refused.status, refused.code]).toEqual([409, "tests_not_run"]);
    expect(JSON.stringify(refused.body)).toContain("Says goodbye");
    const run = await ran(who);
    const published = await publish(who);
    expect(published.status).toBe(200);
    expect(published.body).toMatchObject({ number: run.version, hash: run.hash });

    // Changed content, or a changed test, must be tested again.
    await who.server.patch(who.path, { greeting_message: "Good evening!" });
    expect((await publish(who)).code).toBe("tests_not_run");
    await ran(who, { tests: [test] });
    await who.server.patch(`${who.path}/tests/${test}`, { expect: [{ transferred: true }] });
    expect((await publish(who)).code).toBe("tests_not_run");
    await ran(who);
    const failing = await publish(who);
    expect(failing.code).toBe("tests_failed");
    expect(JSON.stringify(failing.body)).not.toContain("optional");

    // With `force`, it is published anyway, and that is recorded.
    expect((await publish(who, { force: true })).status).toBe(200);
    const { entries } = (await who.server.get<{ entries: object[] }>("/api/v1/audit-log")).body;
    expect(entries[0]).toMatchObject({ action: "publish_forced", resource: "agent", resource_id: who.agent_id });
  });

  it("a publication is recorded as forced only if tests would have blocked it", async () => {
    const who = await tested({ versioning: "manual" });
    await withTest(who, { ...GOODBYE, required: true });
    await ran(who);
    const lastAction = async () =>
      (await who.server.get<{ entries: { action: string }[] }>("/api/v1/audit-log")).body.entries[0]?.action;
    expect((await publish(who, { force: true })).status).toBe(200);
    expect(await lastAction()).toBe("publish");
    await who.server.patch(who.path, { greeting_message: "Untested." });
    expect((await publish(who, { force: true })).status).toBe(200);
    expect(await lastAction()).toBe("publish_forced");
  });

  it("changes the note of the live version even if its tests fail", async () => {
    const who = await tested({ versioning: "manual" });
    await publish(who);
    await withTest(who, { ...GOODBYE, required: true });
    const { status, body } = await publish(who, { note: "Offers Saturdays" });
    expect([status, body]).toMatchObject([200, { number: 1, note: "Offers Saturdays" }]);
    // After it was out of service, the agent must pass again.
    await who.server.patch(who.path, { status: "draft" });
    expect((await publish(who)).code).toBe("tests_not_run");
  });

  it("depends on the last run and all its repetitions", async () => {
    const who = await tested({ versioning: "manual" });
    const test = await withTest(who, { ...GOODBYE, required: true });
    await ran(who, { repeat: 3 });
    await who.server.patch(`${who.path}/tests/${test}`, { expect: [{ ended: false }] });
    await ran(who);
    expect((await publish(who)).code).toBe("tests_failed");
    await who.server.patch(`${who.path}/tests/${test}`, { required: false });
    expect((await publish(who)).status).toBe(200);
  });

  it("does not block a switch to auto, which makes the draft live at once and is audited", async () => {
    const who = await tested({ versioning: "manual" });
    await withTest(who, { ...GOODBYE, required: true });
    await ran(who);
    await publish(who);
    await who.server.patch(who.path, { greeting_message: "Untested." });
    expect((await publish(who)).code).toBe("tests_not_run");
    expect((await who.server.patch(who.path, { versioning: "auto" })).status).toBe(200);
    const { entries } = (await who.server.get<{ entries: object[] }>("/api/v1/audit-log")).body;
    expect((await tries(who, who.agent_id, "live")).agent.greeting_message).toBe("Untested.");
    expect(entries[0]).toMatchObject({
      action: "update",
      resource: "agent",
      resource_id: who.agent_id,
      actor: `api_key:${who.key.id}`,
      changes: { versioning: { from: "manual", to: "auto" } },
    });
  });

  it("does not wait for tests if the draft is already live", async () => {
    const who = await tested();
    await withTest(who, { ...GOODBYE, required: true });
    expect((await publish(who)).status).toBe(200);
  });
});
