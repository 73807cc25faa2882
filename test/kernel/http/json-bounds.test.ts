import { describe, expect, it } from "vitest";
import { charactersBuilt } from "../../support/characters-built.ts";
import { call, tenant } from "../../support/client.ts";

interface Problem {
  title: string;
  code: string;
  errors?: { field: string; code: string; message: string }[];
}
const KB = 1024;
const asProblem = { accept: "application/problem+json" };

/**
 * Returns a body with one key and a list of zeros. Building a path for each element would cost the product of both
 * lengths.
 */
const body = (key: string, zeros: number) => `{${JSON.stringify(key)}:[${Array(zeros).fill(0).join(",")}]}`;
/** Returns a body with this many values: the object, the list, and zeros. */
const valued = (values: number) => body("x", values - 2);

const anonymous = (raw: string) =>
  call<Problem>("POST", "/api/session/refresh", {
    headers: { "content-type": "application/json", accept: "application/problem+json" },
    raw,
  });

describe("the values of a body", () => {
  it("an anonymous caller's body has at most 1,000 values", async () => {
    expect((await anonymous(valued(1_000))).code).toBe("invalid_request");
    const refused = await anonymous(valued(1_001));
    expect([refused.status, refused.code]).toEqual([400, "too_many_values"]);
    expect(refused.body.title).toBe(
      "the body has more than 1,000 values, its lists and objects included; send fewer at a time",
    );
  });

  it("an authenticated caller's body has at most 100,000 values", async () => {
    const { server } = await tenant();
    const send = (raw: string) => server.send("POST", "/api/v1/tools", raw, { "content-type": "application/json" });
    expect((await send(valued(100_000))).code).toBe("invalid_request");
    expect((await send(valued(100_001))).code).toBe("too_many_values");
  });

  it("the values of an anonymous body of 63 KB cost less text than the body itself has", async () => {
    const key = `€${"k".repeat(32 * KB)}`;
    const { characters } = await charactersBuilt(() => anonymous(body(key, 15_500)));
    expect(characters).toBeLessThan(64 * KB);
  });

  it("build no text for each value if their keys are as long as possible", async () => {
    const { server } = await tenant();
    const raw = body("k".repeat(256), 99_000);
    const send = () => server.send("POST", "/api/v1/tools", raw, { "content-type": "application/json" });
    expect((await charactersBuilt(send)).characters).toBeLessThan(64 * KB);
  });
});

describe("the keys of a body", () => {
  it("have at most 256 characters", async () => {
    expect((await anonymous(body("k".repeat(256), 1))).code).toBe("invalid_request");
    const refused = await anonymous(body("k".repeat(257), 1));
    expect([refused.status, refused.code]).toEqual([400, "key_too_long"]);
    expect(refused.body.title).toBe(`${"k".repeat(257)}: has a key of more than 256 characters`);
  });

  it("an error repeats at most 300 characters of a key's path", async () => {
    const nested = "k".repeat(200);
    const raw = JSON.stringify({ [nested]: { [nested]: { [nested]: "\ud800" } } });
    const { errors } = (await anonymous(raw)).body;
    expect(errors).toMatchObject([{ field: expect.stringMatching(/^k{200}\.k{98}…$/), code: "invalid" }]);
  });
});

describe("the faults of a body", () => {
  it("a number that is too large is refused where null is allowed", async () => {
    const { server } = await tenant();
    const headers = { ...server.headers, ...asProblem, "content-type": "application/json" };
    const raw = '{"retention_days":1e999}';
    const { status, body: problem } = await call<Problem>("PATCH", "/api/v1/call-settings", { headers, raw });
    expect([status, problem.errors?.map(({ field }) => field)]).toEqual([400, ["retention_days"]]);
  });

  it("at most 20 faults of a body are listed, and the others are counted", async () => {
    const raw = JSON.stringify({ texts: Array(100).fill("\ud800") });
    const { title, errors } = (await anonymous(raw)).body;
    expect(errors).toHaveLength(20);
    expect(errors?.at(-1)?.field).toBe("texts.19");
    expect(title).toMatch(/; and 80 more$/);
  });

  it("produce a response of a few KB, however long their keys are", async () => {
    const key = "k".repeat(250);
    const deep = (text: unknown): unknown => Array.from({ length: 10 }).reduce((inner) => ({ [key]: inner }), text);
    const refused = await anonymous(JSON.stringify({ a: Array.from({ length: 20 }, () => deep("\ud800")) }));
    expect(JSON.stringify(refused.body).length).toBeLessThan(32 * KB);
  });

  it("faults about unknown parameters are limited too", async () => {
    const { server } = await tenant();
    const headers = { ...server.headers, ...asProblem };
    const query = Array.from({ length: 400 }, (_, i) => `unknown_${i}=1`).join("&");
    const { body: problem } = await call<Problem>("GET", `/api/v1/tools?${query}`, { headers });
    expect(problem.errors).toHaveLength(20);
  });
});
