import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { fieldErrors, invalidFields } from "../../../src/kernel/http/issues.ts";
import { contactsCsv, upload } from "../../campaign/support.ts";
import { Client, call, operator, tenant } from "../../support/client.ts";

const AGENTS = "/api/v1/agents";

interface Problem {
  title: string;
  code: string;
  errors?: { field: string; code: string; message: string }[];
}
/** Sends the request and asks for an RFC 9457 object. */
async function problem(client: Client, method: string, path: string, body: unknown): Promise<Problem> {
  const headers = { ...client.headers, accept: "application/problem+json" };
  return (await call<Problem>(method, path, { headers, body })).body;
}
/** Returns the error for a value that a schema refuses. */
const messageFor = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error && invalidFields(fieldErrors(error, value)).message;
};

describe("an invalid request", () => {
  it("gets every wrong field in the error", async () => {
    const { user } = await tenant();
    const body = { status: "asleep", background_audio_volume: 2, ringing_enabled: "yes" };
    const answer = await user.post(AGENTS, body);
    expect([answer.status, answer.code]).toEqual([400, "invalid_request"]);
    expect(
      String(answer.body)
        .split("; ")
        .map((part) => part.split(/[ :]/)[0]),
    ).toEqual(["name", "status", "background_audio_volume", "ringing_enabled"]);
    const { title, errors } = await problem(user, "POST", AGENTS, body);
    expect(title).toBe(answer.body);
    expect(errors?.map(({ field }) => field)).toEqual(["name", "status", "background_audio_volume", "ringing_enabled"]);
    expect(errors?.[0]).toEqual({ field: "name", code: "required", message: "is required" });
    expect(errors?.map(({ code }) => code)).toEqual(["required", "not_allowed", "too_large", "wrong_type"]);
  });

  it("gets the errors of path, query and body together", async () => {
    const { user } = await tenant();
    const path = "/api/v1/api-keys/nothing?x=1";
    const { errors, code } = await problem(user, "PATCH", path, { name: "", disabled: 1 });
    expect([code, errors?.map(({ field }) => field)]).toEqual(["invalid_request", ["id", "x", "name", "disabled"]]);
    const list = await user.get("/api/v1/calls?limit=0&status=asleep&since=yesterday");
    expect(list.status).toBe(400);
    for (const field of ["limit", "status", "since"]) expect(list.body).toContain(`${field}: `);
  });

  it("lists twenty fields, and counts the others", async () => {
    const { user } = await tenant();
    const numbers = Array.from({ length: 30 }, () => "x");
    const answer = await user.post("/api/v1/do-not-call", { numbers });
    expect(answer.body).toMatch(/^numbers\.0: .*numbers\.19: .*; and 10 more$/);
    expect((await problem(user, "POST", "/api/v1/do-not-call", { numbers })).errors).toHaveLength(20);
  });

  it("gets no list of fields if none is wrong", async () => {
    const { user } = await tenant();
    expect(await problem(user, "DELETE", `${AGENTS}/${crypto.randomUUID()}`, undefined)).not.toHaveProperty("errors");
  });

  it("gets every wrong field of a campaign's form, including nested ones", async () => {
    const { user } = await tenant();
    const fields = {
      agent_id: "x",
      max_concurrency: "many",
      schedule_config: '[{"days": [8], "start": "9:00", "end": "17:00"}]',
      on_invalid: "perhaps",
    };
    const answer = await upload(user, contactsCsv(1), fields);
    expect([answer.status, answer.code]).toEqual([400, "invalid_csv"]);
    for (const field of [
      "agent_id",
      "max_concurrency",
      "schedule_config.0.days.0",
      "schedule_config.0.start",
      "on_invalid",
    ])
      expect(answer.body).toContain(`${field}: `);
    const asking = new Client({ ...user.headers, accept: "application/problem+json" });
    const { errors } = (await upload(asking, contactsCsv(1), fields)).body as unknown as Problem;
    expect(errors).toContainEqual({
      field: "schedule_config.0.start",
      code: "invalid_format",
      message: "must be a time such as 09:00",
    });
  });

  it("gets every field of carrier credentials: missing, wrong and unknown ones", async () => {
    const { user } = await tenant();
    const body = { provider: "twilio", credentials: { account_sid: 1, token: "x" } };
    const { errors } = await problem(user, "POST", "/api/v1/telephony/providers", body);
    expect(errors?.map(({ field }) => field)).toEqual([
      "credentials.account_sid",
      "credentials.auth_token",
      "credentials.token",
    ]);
    const answer = await user.post("/api/v1/telephony/providers", body);
    expect(answer.body).toContain("credentials.auth_token is required; credentials.token is unknown");
    expect(JSON.stringify(answer.body)).not.toContain('"x"');
  });
});

describe("the message about a field", () => {
  const mode = z.union([z.enum(["none", "all"]), z.array(z.enum(["busy", "failed"]))]);

  it("the message about a field with several kinds says what each requires", () => {
    expect(messageFor(z.object({ mode }), { mode: "some" })).toBe(
      'mode: must be one of "none", "all", or must be a list, not text',
    );
    expect(messageFor(z.object({ mode }), { mode: ["busy", "x"] })).toBe('mode.1: must be one of "busy", "failed"');
    expect(messageFor(z.object({ mode }), {})).toBe("mode is required");
    const kind = z.discriminatedUnion("type", [z.object({ type: z.literal("a"), n: z.number() })]);
    expect(messageFor(kind, { type: "b" })).toMatch(/^type: /);
    expect(messageFor(kind, { type: "a" })).toBe("n is required");
  });

  it("says that a missing field of any kind is required", () => {
    const schema = z.object({ text: z.string(), choice: z.enum(["a"]), deep: z.object({ n: z.number() }) });
    expect(messageFor(schema, { deep: {} })).toBe("text is required; choice is required; deep.n is required");
    expect(messageFor(schema, [])).toBe("must be an object, not a list");
  });

  it.each([
    [z.string(), 1, "must be text, not a number"],
    [z.boolean(), null, "must be true or false, not null"],
    [z.number(), Number.NaN, "must be a number"],
    [z.int(), 1.5, "must be a whole number"],
    [z.record(z.string(), z.string()), [], "must be an object, not a list"],
    [z.literal("a"), "b", 'must be "a"'],
    [z.enum(["a", "b"]), "c", 'must be one of "a", "b"'],
    [z.string().min(1), "", "must not be empty"],
    [z.string().max(3), "four", "must have at most 3 characters"],
    [z.string().length(1), "", "must have exactly 1 character"],
    [z.array(z.string()).min(1), [], "must not be empty"],
    [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry"],
    [z.number().min(5), 4, "must be at least 5"],
    [z.number().gt(5), 5, "must be more than 5"],
    [z.number().max(300), 301, "must be at most 300"],
    [z.number().multipleOf(5), 4, "must be a multiple of 5"],
    [z.uuid(), "x", "must be a UUID"],
    [z.iso.datetime(), "noon", "must be a time such as 2030-01-31T09:00:00Z"],
    [z.string().regex(/b/, "must hold a b"), "a", "must hold a b"],
  ])("the message about a field is plain if the schema has no message of its own: %#", (schema, value, words) => {
    expect(messageFor(z.object({ n: schema }), { n: value })).toBe(`n: ${words}`);
  });

  it("says only one thing", () => {
    const name = z.string().min(2, "must be longer").regex(/b/, "must hold a b");
    expect(messageFor(z.object({ name }), { name: "" })).toBe("name: must be longer");
  });
});

describe("nested objects of a PATCH", () => {
  it("nested objects of a PATCH are merged, and null restores the plan's value", async () => {
    const [{ account }, admin] = [await tenant(), await operator()];
    const path = `/api/admin/v1/accounts/${account}`;
    await admin.patch(path, { caps: { concurrent_calls: 7, calls_per_day: 70 }, quotas: { agents: 3, tools: 4 } });
    await admin.patch(path, { caps: { concurrent_calls: 8 }, quotas: { agents: null } });
    const { body } = await admin.get<Record<string, unknown>>(path);
    expect(body.caps_overrides).toEqual({ concurrent_calls: 8, calls_per_day: 70 });
    expect(body.quotas_overrides).toEqual({ tools: 4 });
    await admin.patch(path, { caps: { calls_per_day: null } });
    await admin.patch(path, { caps: null, quotas: null });
    const after = (await admin.get<Record<string, unknown>>(path)).body;
    expect([after.caps_overrides, after.quotas_overrides]).toEqual([{}, {}]);
  });
});

describe("a handler that refuses one field", () => {
  it("names the field, with the code of the whole error", async () => {
    const { user } = await tenant();
    const nobody = crypto.randomUUID();
    const number = { e164: "+12025550100", provider: "sandbox" };
    await user.post("/api/v1/telephony/numbers", number);
    await user.post("/api/v1/faqs", { name: "hours", title: "t" });
    const refused = async (path: string, body: unknown) => {
      const { code, errors = [] } = await problem(user, "POST", path, body);
      return [code, errors.map((error) => `${error.field} ${error.code}`)];
    };
    const numbers = "/api/v1/telephony/numbers";
    expect(await refused(numbers, number)).toEqual(["duplicate_number", ["e164 duplicate_number"]]);
    expect(await refused(numbers, { e164: "+12025550101", provider: "sandbox", agent_id: nobody })).toEqual([
      "unknown_reference",
      ["agent_id unknown_reference"],
    ]);
    expect(await refused("/api/v1/faqs", { name: "hours", title: "t" })).toEqual([
      "duplicate_name",
      ["name duplicate_name"],
    ]);
    expect(await refused("/api/v1/widget-keys", { name: "w", domain_allowlist: ["shop.example"] })).toEqual([
      "invalid_origin",
      ["domain_allowlist invalid_origin"],
    ]);
    expect(await refused("/api/v1/api-keys", { name: "k", expiry: "2001-01-01T00:00:00Z" })).toEqual([
      "invalid_expiry",
      ["expiry invalid_expiry"],
    ]);
    expect(
      await refused("/api/v1/calls/originate", {
        agent_id: nobody,
        from_number: number.e164,
        to_number: "+13035550110",
      }),
    ).toEqual(["not_found", ["agent_id not_found"]]);
  });
});
