import { beforeAll, describe, expect, it } from "vitest";
import { type Tenant, tenant } from "../support/client.ts";
import { type Campaign, contactsCsv, upload } from "./support.ts";

interface Problem {
  code: string;
  errors: { field: string; message: string }[];
}
const STRICT = { prefer: "handling=strict" };
const PROBLEM = { accept: "application/problem+json" };
const LIST = () => new File([contactsCsv(3)], "contacts.csv", { type: "text/csv" });

let who: Tenant;
beforeAll(async () => {
  who = await tenant();
});

/** Creates a form with these parts, in order. */
function formOf(...parts: [name: string, value: string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}
const create = (form: FormData, headers = {}) =>
  who.server.send<Campaign & Problem>("POST", "/api/v1/campaigns", form, headers);
const campaigns = async () => (await who.server.get<{ total: number }>("/api/v1/campaigns")).body.total;

describe("a form with unknown parts", () => {
  it("creates the campaign, and the header names them", async () => {
    const logo = new File(["x"], "logo.png", { type: "image/png" });
    const retries = JSON.stringify({ max_attempts: 2, intervall: 5 });
    const form = formOf(["max_concurrent_calls", "2"], ["contacts", LIST()], ["retry_config", retries], ["logo", logo]);
    const answer = await create(form);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.headers.get("ignored-fields")).toBe("max_concurrent_calls, retry_config.intervall, logo");
    expect(answer.body).toMatchObject({ total_contacts: 3, max_concurrency: null });
  });

  it("an unknown part of a form is named when contacts are added", async () => {
    const { id } = (await upload(who.server, contactsCsv(1))).body;
    const form = formOf(["contacts", LIST()], ["name", "Spring"]);
    const answer = await who.server.send("POST", `/api/v1/campaigns/${id}/contacts`, form);
    expect([answer.status, answer.headers.get("ignored-fields")]).toEqual([200, "name"]);
  });

  it("is answered without a header if all parts are known", async () => {
    const answer = await create(formOf(["name", "Spring"], ["contacts", LIST()]), STRICT);
    expect([answer.status, answer.headers.get("ignored-fields")]).toEqual([201, null]);
    expect(answer.headers.get("preference-applied")).toBe("handling=strict");
  });

  it.each([
    ["before the file", formOf(["max_concurrent_calls", "2"], ["contacts", LIST()])],
    ["after the file", formOf(["contacts", LIST()], ["max_concurrent_calls", "2"])],
  ])("a form with unknown parts is refused %s under strict handling, and nothing stays", async (_, form) => {
    const before = await campaigns();
    const answer = await create(form, { ...STRICT, ...PROBLEM });
    expect([answer.status, answer.body.code]).toEqual([400, "unknown_fields"]);
    expect(answer.body.errors).toEqual([
      {
        field: "max_concurrent_calls",
        code: "unknown",
        message: "is unknown; the nearest known field is max_concurrency",
      },
    ]);
    expect(await campaigns()).toBe(before);
  });

  it("an unknown part after the file is refused under strict handling when contacts are added", async () => {
    const { id } = (await upload(who.server, contactsCsv(1, "20"))).body;
    const path = `/api/v1/campaigns/${id}`;
    const refused = await who.server.send<Problem>(
      "POST",
      `${path}/contacts`,
      formOf(["contacts", LIST()], ["x", "1"]),
      {
        ...STRICT,
        ...PROBLEM,
      },
    );
    expect([refused.status, refused.body.code]).toEqual([400, "unknown_fields"]);
    expect((await who.server.get<Campaign>(path)).body.total_contacts).toBe(1);
    const again = await who.server.send("POST", `${path}/contacts`, formOf(["contacts", LIST()]), STRICT);
    expect(again.body).toEqual({ accepted: 3, rejected: 0, duplicates: 0 });
  });

  it("names every unknown part under strict handling, wherever it is", async () => {
    const form = formOf(["a", "1"], ["contacts", LIST()], ["b", "2"], ["schedule_config", '[{"start":"09:00"}]']);
    const answer = await create(form, { ...STRICT, ...PROBLEM });
    expect(answer.body.errors.map(({ field }) => field)).toEqual(["a", "b"]);
  });
});
