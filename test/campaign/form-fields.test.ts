import { describe, expect, it } from "vitest";
import { type Client, tenant } from "../support/client.ts";
import { field, file, type Part, sendForm } from "./multipart.ts";
import type { Campaign } from "./support.ts";

const LIST = file("phone_number\n+13032000010\n");
const MORNING = { days: [1, 2, 3, 4, 5], start: "09:00", end: "12:00" };
const EVENING = { days: [6, 7], start: "17:00", end: "20:00" };
const RETRY = { max_attempts: 3, retry_interval_minutes: 5, retry_on: ["busy"] };
const POLITE = { max_attempts: 3, retry_interval_minutes: 60, retry_on: ["busy", "no_answer"] };

/** Creates a part as a browser sends it for a Blob of type application/json. */
const blob = (name: string, value: unknown): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"; filename="blob"`, "Content-Type: application/json"],
  content: JSON.stringify(value),
});
/** Creates a part with the type JSON and without a file name. */
const typed = (name: string, value: unknown): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"`, "Content-Type: application/json; charset=utf-8"],
  content: JSON.stringify(value),
});
const plain = (name: string, value: unknown): Part => field(name, JSON.stringify(value));

async function settingsOf(client: Client, ...parts: Part[]) {
  const { status, body } = await sendForm(client, [...parts, LIST]);
  expect([status, body]).toEqual([201, expect.anything()]);
  const { schedule_config, retry_config } = body as Campaign;
  return { schedule_config, retry_config };
}

describe("JSON in a campaign's form", () => {
  it.each([
    ["text", plain],
    ["JSON without a file name", typed],
    ["JSON with one", blob],
  ])("JSON in a campaign's form is accepted as a part that is %s", async (_, part) => {
    const { server } = await tenant();
    const both = [MORNING, EVENING];
    const expected = { schedule_config: both, retry_config: RETRY };
    expect(await settingsOf(server, part("schedule_config", both), part("retry_config", RETRY))).toEqual(expected);
    const apart = both.map((window) => part("schedule_config", window));
    expect(await settingsOf(server, ...apart, part("retry_config", RETRY))).toEqual(expected);
    expect(await settingsOf(server, part("schedule_config", MORNING))).toMatchObject({ schedule_config: [MORNING] });
    expect(await settingsOf(server, part("schedule_config", null))).toMatchObject({ schedule_config: null });
    expect(await settingsOf(server, part("retry_config", { max_attempts: 3 }))).toMatchObject({ retry_config: POLITE });
  });

  it("counts as not sent when it is empty", async () => {
    const { server } = await tenant();
    const empty = [field("schedule_config", ""), field("schedule_config", ""), field("retry_config", "")];
    expect(await settingsOf(server, ...empty)).toMatchObject({ schedule_config: null });
  });

  it.each([
    ["an empty list", [plain("schedule_config", [])]],
    ["a broken part beside a good one", [plain("schedule_config", MORNING), field("schedule_config", "{")]],
    ["a number", [plain("schedule_config", 7)]],
    ["a list for one value", [plain("retry_config", [RETRY])]],
    ["an invalid window with a file name", [blob("schedule_config", { ...MORNING, days: [9] })]],
  ])("JSON in a campaign's form is refused when it is %s", async (_, parts) => {
    const { server } = await tenant();
    const { status, body } = await sendForm(server, [...parts, LIST]);
    expect([status, body]).toEqual([400, expect.stringMatching(/_config/)]);
  });

  it("invalid JSON is reported together with the other invalid fields", async () => {
    const { server } = await tenant();
    const wrong = [field("schedule_config", "{"), field("retry_config", "once"), field("max_concurrency", "-1")];
    const { status, body } = await sendForm(server, [...wrong, LIST]);
    expect([status, body]).toEqual([
      400,
      "schedule_config: must be JSON; max_concurrency: must be at least 1; retry_config: must be JSON",
    ]);
  });

  it("ignores another file of that name", async () => {
    const { server } = await tenant();
    const other = { ...file("{", "schedule_config") };
    expect(await settingsOf(server, other)).toMatchObject({ schedule_config: null });
  });
});

describe("an agent and a number that the account does not have", () => {
  it("an unknown agent and an unknown number are both named", async () => {
    const { server } = await tenant();
    const unknown = [field("agent_id", crypto.randomUUID()), field("from_number", "+19175550100")];
    const { status, body } = await sendForm(server, [...unknown, LIST]);
    expect([status, body]).toEqual([
      400,
      "agent_id: no such agent; from_number: not one of the account's numbers for outbound calls",
    ]);
  });
});
