import { describe, expect, it } from "vitest";
import { setCaps } from "../phone/calls/support.ts";
import { type Client, type Tenant, tenant } from "../support/client.ts";
import { FROM, started, until, upload } from "./support.ts";

interface Plan {
  status: string;
  timezones: { timezone: string | null; contacts: number; source: string }[];
  warnings: { code: string; message: string }[];
  samples: {
    contact_id: string;
    phone_number: string;
    timezone: string;
    greeting: string | null;
    missing_variables: string[];
  }[];
}

const planOf = async (client: Client, path: string) => (await client.get<Plan>(`${path}/plan`)).body;
const codes = (plan: Plan) => plan.warnings.map(({ code }) => code);
const OFFICE_HOURS = JSON.stringify([{ days: [1, 2, 3, 4, 5, 6, 7], start: "00:00", end: "24:00" }]);
const PEOPLE = "phone_number,name,company\n+13034000010,Ada,Acme\n+13034000110,,Acme\n+13034000210,Alan,\n";

/** Creates an account with a number and an agent with these texts. */
async function ready(who: Tenant, agent: Record<string, unknown> = {}) {
  const created = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Nova", status: "active", ...agent });
  await who.server.post("/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
  await who.server.patch("/api/v1/account", { timezone: "America/Denver" });
  return { agent_id: created.body.id, from_number: FROM };
}

async function campaign(agent: Record<string, unknown>, csv = PEOPLE, fields: Record<string, string> = {}) {
  const who = await tenant();
  const references = await ready(who, agent);
  const { body } = await upload(who.server, csv, { ...references, ...fields });
  return { ...who, ...references, path: `/api/v1/campaigns/${body.id}` };
}

describe("a preflight", () => {
  it("has no warnings for a campaign that is ready", async () => {
    const { server, path } = await campaign({ greeting_message: "Hello {{name|there}}" });
    expect((await planOf(server, path)).warnings).toEqual([]);
    expect((await server.post(`${path}/start?strict=true`)).status).toBe(200);
  });

  it("shows the first three contacts with their rendered greeting", async () => {
    const texts = {
      system_prompt: "You talk to {{name}} of {{ Company }} about {{plan}}.",
      greeting_message: "Hi {{name|there}}, {{agent_name}} here, calling {{to_number}} of {{company}}",
    };
    const { server, path } = await campaign(texts, `${PEOPLE}+13034000310,Grace,Navy\n`, { timezone: "Asia/Tokyo" });
    const { contacts } = (await server.get<{ contacts: { id: string }[] }>(`${path}/contacts`)).body;
    const { samples } = await planOf(server, path);
    expect(samples).toEqual(
      [
        {
          phone_number: "+13034000010",
          greeting: "Hi Ada, Nova here, calling +13034000010 of Acme",
          missing: ["plan"],
        },
        {
          phone_number: "+13034000110",
          greeting: "Hi there, Nova here, calling +13034000110 of Acme",
          missing: ["name", "plan"],
        },
        {
          phone_number: "+13034000210",
          greeting: "Hi Alan, Nova here, calling +13034000210 of ",
          missing: ["company", "plan"],
        },
      ].map(({ missing, ...shown }, i) => ({
        ...shown,
        contact_id: contacts[i]?.id,
        timezone: "Asia/Tokyo",
        missing_variables: missing,
      })),
    );
  });

  it("checks the variables of the voicemail message, if one is left", async () => {
    const texts = { greeting_message: "Hello", voicemail_message: "Call {{company}} back about {{plan}}." };
    const missingIn = async (fields: Record<string, string>) => {
      const { server, path } = await campaign(texts, PEOPLE, fields);
      const { samples, warnings } = await planOf(server, path);
      return [samples[2]?.missing_variables, warnings.map(({ code }) => code)];
    };
    expect(await missingIn({})).toEqual([[], []]);
    expect(await missingIn({ voicemail: "leave_message" })).toEqual([["company", "plan"], ["missing_variables"]]);
    const own = { voicemail: "leave_message", voicemail_message: "Call {{agent_name}} back." };
    expect(await missingIn(own)).toEqual([[], []]);
  });

  it("counts contacts by time zone", async () => {
    const csv = "phone_number,timezone\n+13034000010,Europe/Berlin\n+13034000110,Europe/Berlin\n+13034000210,\n";
    const { server, path } = await campaign({}, csv, { timezone: "Asia/Tokyo" });
    const { timezones, samples } = await planOf(server, path);
    expect(timezones).toEqual([
      { timezone: "Europe/Berlin", contacts: 2, source: "contact" },
      { timezone: "Asia/Tokyo", contacts: 1, source: "campaign" },
    ]);
    expect(samples.map(({ timezone }) => timezone)).toEqual(["Europe/Berlin", "Europe/Berlin", "Asia/Tokyo"]);
    type Contacts = { contacts: { id: string; timezone: string | null }[] };
    const { contacts } = (await server.get<Contacts>(`${path}/contacts`)).body;
    expect(contacts.map(({ timezone }) => timezone)).toEqual(["Europe/Berlin", "Europe/Berlin", null]);
    for (const { id, timezone } of contacts)
      expect((await server.get(`${path}/contacts/${id}`)).body).toMatchObject({ timezone });
  });

  it("warns that callers hear the disclosure in another language than the agent speaks", async () => {
    const { server, path, agent_id } = await campaign({ language: "de-AT" });
    const warns = async () => codes(await planOf(server, path)).includes("disclosure_language");
    expect(await warns()).toBe(false);
    const disclose = (texts: Record<string, string>) =>
      server.patch("/api/v1/call-settings", { disclosure: { mode: "calls", texts } });
    await disclose({ en: "I am an AI." });
    expect(await warns()).toBe(true);
    await disclose({ en: "I am an AI.", de: "Ich bin eine KI." });
    expect(await warns()).toBe(false);
    await server.patch(`/api/v1/agents/${agent_id}`, { language: "tr-TR" });
    expect(await warns()).toBe(true);
    await server.patch(`/api/v1/agents/${agent_id}`, { disclosure: { texts: { tr: "Ben bir yapay zekâyım." } } });
    expect(await warns()).toBe(false);
    await server.patch(`/api/v1/agents/${agent_id}`, { disclosure: "off", language: "pl-PL" });
    expect(await warns()).toBe(false);
  });

  it("has the same warnings while running or paused, and none once over", async () => {
    const who = await tenant();
    const references = await ready(who, { greeting_message: "Hello {{title}}" });
    const path = await started({ ...who, ...references }, "phone_number\n+13034000010\n", {
      scheduled_at: "2099-01-05T12:30:00Z",
    });
    for (const [operation, status] of [
      ["pause", "paused"],
      ["resume", "running"],
    ]) {
      expect((await who.server.post(`${path}/${operation}`)).status).toBe(200);
      const plan = await planOf(who.server, path);
      expect([plan.status, codes(plan), plan.samples.length]).toEqual([status, ["missing_variables"], 1]);
    }
    await who.server.post(`${path}/stop`);
    const over = await planOf(who.server, path);
    expect([over.status, over.warnings, over.timezones, over.samples.length]).toEqual(["stopped", [], [], 1]);
  });
});

describe("preflight warnings", () => {
  it("report a phrase's placeholder that no column fills", async () => {
    const { server, path } = await campaign({
      greeting_message: "Hello {{name|there}}.",
      phrases: { goodbye: "Bye {{nickname}}, {{name|friend}}." },
    });
    const plan = await planOf(server, path);
    expect(plan.warnings.find(({ code }) => code === "missing_variables")?.message).toContain("{{nickname}}");
    expect(plan.samples[0]?.missing_variables).toEqual(["nickname"]);
  });

  it("report settings without effect, and separately a language without phrases", async () => {
    const { server, path } = await campaign({ language: "tr-TR", key_terms: ["Acme"], phrases: { goodbye: "Bye." } });
    const plan = await planOf(server, path);
    const { message = "" } = plan.warnings.find(({ code }) => code === "setting_without_effect") ?? {};
    expect(message).toContain("key_terms");
    expect(message).not.toContain("phrases");
    expect(codes(plan)).toContain("language_without_phrases");
  });

  it("report a missing agent and number, for which start is refused too", async () => {
    const { server } = await tenant();
    await server.patch("/api/v1/account", { timezone: "America/Denver" });
    const { body } = await upload(server, PEOPLE);
    const path = `/api/v1/campaigns/${body.id}`;
    const { warnings, samples } = await planOf(server, path);
    expect(warnings).toEqual([
      { code: "incomplete", message: "set agent_id and from_number before you start the campaign" },
    ]);
    expect(samples.map(({ greeting }) => greeting)).toEqual([null, null, null]);
    for (const query of ["", "?strict=true"])
      expect(await server.post(`${path}/start${query}`)).toMatchObject({ status: 409, code: "incomplete" });
  });

  it("report a draft or archived agent", async () => {
    const { server, path, agent_id } = await campaign({ status: "draft" });
    expect(await planOf(server, path)).toMatchObject({ warnings: [{ code: "agent_draft" }] });
    await server.patch(`/api/v1/agents/${agent_id}`, { status: "archived" });
    expect(await planOf(server, path)).toMatchObject({ warnings: [{ code: "agent_archived" }] });
  });

  it.each([
    ["no_runtime", "signalwire", { space: "example", project_id: "P-1", api_token: "t", signing_key: "s" }],
    ["no_model", "twilio", { account_sid: "AC1", auth_token: "t" }],
  ])("a plan reports inbound callers who wouldn't be answered: %s", async (code, provider, credentials) => {
    const { server, path } = await campaign({});
    const { body } = await server.post<{ id: string }>("/api/v1/telephony/providers", { provider, credentials });
    const from_number = "+12025550177";
    await server.post("/api/v1/telephony/numbers", { e164: from_number, credentials_id: body.id });
    await server.patch(path, { from_number });
    expect(codes(await planOf(server, path))).toEqual([code]);
    expect((await server.post(`${path}/start?strict=true`)).code).toBe(code);
  });

  it("report a schedule without a time zone while some contact has none of its own", async () => {
    const { server, path } = await campaign({}, PEOPLE, { schedule_config: OFFICE_HOURS });
    const { warnings } = await planOf(server, path);
    expect(warnings).toEqual([{ code: "no_timezone", message: expect.stringContaining("3 contacts") }]);
    expect((await server.get<{ timezone: string }>(path)).body.timezone).toBe("UTC");
    // Another setting doesn't count as a choice.
    await server.patch(path, { name: "Renamed" });
    expect(codes(await planOf(server, path))).toEqual(["no_timezone"]);
    // Sending back what was read doesn't count as a choice either.
    const { timezone, timezone_chosen } = (await server.get<{ timezone: string; timezone_chosen: boolean }>(path)).body;
    await server.patch(path, { timezone, timezone_chosen });
    expect(codes(await planOf(server, path))).toEqual(["no_timezone"]);
    // UTC counts as a choice too.
    await server.patch(path, { timezone: "UTC" });
    expect(codes(await planOf(server, path))).toEqual([]);
    expect((await server.patch(path, { timezone_chosen: false })).code).toBe("invalid_request");
  });

  it.each([
    ["UTC is sent", PEOPLE, { schedule_config: OFFICE_HOURS, timezone: "UTC" }],
    ["it calls at any hour", PEOPLE, {}],
    ["all have their own", "phone_number,timezone\n+13034000010,Asia/Tokyo\n", { schedule_config: OFFICE_HOURS }],
  ])("a plan reports no time zone problem if %s", async (_, csv, fields: Record<string, string>) => {
    const { server, path } = await campaign({}, csv, fields);
    expect(codes(await planOf(server, path))).toEqual([]);
  });

  it("report contacts whose agent would be told the time in UTC, until a user sets a time zone", async () => {
    const csv = `${PEOPLE}+4930123456,Emmy,Noether\n`;
    const { server, path, agent_id } = await campaign({}, csv);
    await server.patch("/api/v1/account", { timezone: null });
    const { warnings } = await planOf(server, path);
    // Germany has one time zone, the United States have several.
    expect(warnings).toEqual([{ code: "no_account_timezone", message: expect.stringContaining("3 contacts") }]);
    expect((await server.post(`${path}/start?strict=true`)).code).toBe("preflight_warnings");
    await server.patch(`/api/v1/agents/${agent_id}`, { timezone: "America/Denver" });
    expect(codes(await planOf(server, path))).toEqual([]);
    await server.patch(`/api/v1/agents/${agent_id}`, { timezone: null });
    expect(codes(await planOf(server, path))).toEqual(["no_account_timezone"]);
    await server.patch(path, { timezone: "America/Denver" });
    expect(codes(await planOf(server, path))).toEqual([]);
  });

  it("use the contact's, otherwise the campaign's, the agent's or the account's time zone in greetings", async () => {
    const csv = "phone_number,timezone\n+13034000010,Asia/Tokyo\n+13034000110,\n";
    const { server, path, agent_id } = await campaign({ greeting_message: "{{time}}" }, csv);
    const zones = async () => (await planOf(server, path)).samples.map(({ timezone }) => timezone);
    expect(await zones()).toEqual(["Asia/Tokyo", "America/Denver"]);
    await server.patch(`/api/v1/agents/${agent_id}`, { timezone: "Europe/Vienna" });
    expect(await zones()).toEqual(["Asia/Tokyo", "Europe/Vienna"]);
    await server.patch(path, { timezone: "UTC" });
    expect(await zones()).toEqual(["Asia/Tokyo", "UTC"]);
  });

  it("report placeholders without value or default, with the number of contacts", async () => {
    const texts = {
      system_prompt: "Talk to {{name}} of {{COMPANY}} about {{offer}} on {{date}}; {{rank|no rank}}; {{phone_number}}",
      greeting_message: "Hello {{name|there}}",
    };
    const { server, path } = await campaign(texts);
    const { warnings } = await planOf(server, path);
    expect(warnings.map(({ code }) => code)).toEqual(["missing_variables"]);
    expect(warnings[0]?.message).toContain("{{offer}} is not a column of the file (3 contacts)");
    expect(warnings[0]?.message).toContain("{{name}} is empty for 1 of 3 contacts");
    expect(warnings[0]?.message).toContain("{{company}} is empty for 1 of 3 contacts");
    for (const fine of ["date", "rank", "phone_number"]) expect(warnings[0]?.message).not.toContain(`{{${fine}}}`);
  });

  it("report an empty column that hides a built-in variable", async () => {
    const { server, path } = await campaign(
      { greeting_message: "It is {{date}}" },
      "phone_number,date\n+13034000010,\n+13034000110,today\n",
    );
    expect((await planOf(server, path)).warnings[0]?.message).toContain("{{date}} is empty for 1 of 2 contacts");
  });

  it("report values that are too long for the agent's texts, with the number of contacts", async () => {
    const [long, fits] = ["x".repeat(501), "x".repeat(500)];
    const csv = `phone_number,note,other\n+13034000010,${long},${long}\n+13034000110,${fits},\n+13034000210,${long},\n`;
    const { server, path } = await campaign({ system_prompt: "{{Note|none}}", greeting_message: "Hello" }, csv);
    const { warnings } = await planOf(server, path);
    expect(warnings).toEqual([
      { code: "long_values", message: expect.stringContaining("{{note}} for 2 of 3 contacts") },
    ]);
  });

  it("report the contacts at destinations that the account does not allow", async () => {
    const csv = "phone_number\n+13034000010\n+4930123456\n+493012345678\n+442079460123\n";
    const { server, path } = await campaign({}, csv);
    const warned = async () => (await planOf(server, path)).warnings;
    expect(await warned()).toEqual([]);
    await server.patch("/api/v1/call-settings", { allowed_destinations: ["+1", "+44"] });
    expect(await warned()).toEqual([
      { code: "destination_not_allowed", message: expect.stringMatching(/^2 contacts would fail without a call/) },
    ]);
    expect(await server.post(`${path}/start?strict=true`)).toMatchObject({ status: 409, code: "preflight_warnings" });
    await server.patch("/api/v1/call-settings", { allowed_destinations: [] });
    expect((await warned())[0]?.message).toMatch(/^4 contacts/);
    await server.patch("/api/v1/call-settings", { allowed_destinations: null });
    expect(await warned()).toEqual([]);
  });

  it("report more contacts than the daily cap", async () => {
    const { account, server, path } = await campaign({});
    await setCaps(account, { calls_per_day: 3 });
    expect(codes(await planOf(server, path))).toEqual([]);
    await setCaps(account, { calls_per_day: 2 });
    const { warnings } = await planOf(server, path);
    expect(warnings).toEqual([
      { code: "caps", message: expect.stringMatching(/^3 contacts are waiting.*2 calls.*2 days/) },
    ]);
  });
});

describe("a strict start", () => {
  it("a strict start or resume is refused with every warning until there are none", async () => {
    const { server, path, agent_id } = await campaign({ status: "draft", greeting_message: "Hello {{name}}" });
    const start = (query: string, operation = "start") => server.post<string>(`${path}/${operation}${query}`);
    const refused = await start("?strict=true");
    expect([refused.status, refused.code]).toEqual([409, "preflight_warnings"]);
    expect(refused.body).toMatch(/agent_draft: .*missing_variables: .*\{\{name\}\}/);
    expect((await server.get(path)).body).toMatchObject({ status: "draft", started_at: null });
    await server.patch(path, { scheduled_at: "2099-01-05T12:30:00Z" });
    expect((await start("?strict=false")).status).toBe(200);
    await start("", "pause");
    expect((await start("?strict=true", "resume")).code).toBe("preflight_warnings");
    await server.patch(`/api/v1/agents/${agent_id}`, { status: "active", greeting_message: "Hello" });
    expect((await start("?strict=true", "resume")).status).toBe(200);
  });

  it("reports a wrong state rather than warnings", async () => {
    const { server, path } = await campaign({ greeting_message: "Hello {{title}}" }, PEOPLE, {
      scheduled_at: "2099-01-05T12:30:00Z",
    });
    await server.post(`${path}/start`);
    expect((await server.post(`${path}/start?strict=true`)).code).toBe("wrong_state");
  });

  it("accepts only true and false", async () => {
    const { server, path } = await campaign({});
    for (const strict of ["", "1", "yes", "TRUE"])
      expect((await server.post(`${path}/start?strict=${strict}`)).status, strict).toBe(400);
    expect((await server.get(path)).body).toMatchObject({ status: "draft" });
  });

  it("counts contacts still waiting, not those already called", async () => {
    const who = await tenant();
    const references = await ready(who, { greeting_message: "Hello {{name}}" });
    const csv = "phone_number,name\n+13034000010,\n+13034000001,Ada\n";
    const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes: 90, retry_on: ["busy"] });
    const path = await started({ ...who, ...references }, csv, { retry_config });
    await until(
      () => who.server.get<{ counts: Record<string, number> }>(path),
      ({ body }) => body.counts.completed === 1 && body.counts.pending === 1,
    );
    expect((await planOf(who.server, path)).warnings).toEqual([]);
  });
});
