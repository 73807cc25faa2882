import { describe, expect, it } from "vitest";
import {
  changesBetween,
  defaultSettings,
  formFields,
  settingsOf,
} from "../../src/browser/console/screens/campaigns/settings/settings-values.ts";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { tenant } from "../support/client.ts";

/** Creates a campaign from the fields of a form. */
async function created(changes: Partial<ReturnType<typeof defaultSettings>>) {
  const { server } = await tenant();
  const { agent_id, from_number } = await ready({ server });
  const values = Object.assign(defaultSettings("Spring check", "Europe/Berlin"), { agent_id, from_number }, changes);
  const { status, body } = await upload(server, contactsCsv(1), Object.fromEntries(formFields(values)));
  expect(status).toBe(201);
  const stored = await server.get<Parameters<typeof settingsOf>[0]>(`/api/v1/campaigns/${body.id}`);
  return { server, values, campaign: stored.body };
}

describe("the settings of a campaign as a form", () => {
  it("campaign settings are stored as they were entered, and shown as they are stored", async () => {
    const everything = {
      scheduled_at: "2030-05-01T09:00",
      schedule_config: [
        { days: [6, 7], start: "10:00", end: "24:00" },
        { days: [1], start: "08:00", end: "12:30" },
      ],
      max_concurrency: 4,
      calls_per_minute: 30,
      max_attempts: 3,
      intervals: "30, 240",
      retry_on: ["busy", "machine"] as const,
      voicemail: "leave_message" as const,
      voicemail_message: "Please call us back.",
      record: "false" as const,
    };
    for (const changes of [{}, Object.assign({}, everything, { retry_on: [...everything.retry_on] })]) {
      const { values, campaign } = await created(changes);
      expect(settingsOf(campaign)).toEqual(values);
    }
  });

  it("send exactly the fields that were changed", async () => {
    const { server, campaign } = await created({ intervals: "30, 240", max_attempts: 3 });
    const before = settingsOf(campaign);
    expect(changesBetween(before, before)).toEqual({ timezone: "Europe/Berlin" });
    const after = Object.assign({}, before, { max_attempts: 2, intervals: "15", record: "true", schedule_config: [] });
    const changes = changesBetween(before, after);
    expect(Object.keys(changes).sort()).toEqual(["record", "retry_config", "schedule_config", "timezone"]);
    const patched = await server.patch<typeof campaign>(`/api/v1/campaigns/${campaign.id}`, changes);
    expect(patched.status).toBe(200);
    expect(settingsOf(patched.body)).toEqual(after);
  });
});
