import { expect, it } from "vitest";
import { AbsentReads } from "../../../src/kernel/http/absent-reads.ts";
import { notFound } from "../../../src/kernel/http/errors.ts";
import { tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";

const error = notFound("agent");

it("absent reads keep a 404 for the version under which it was read, and for at most a minute", () => {
  const reads = new AbsentReads();
  reads.put("acme", "1", "/a", error, 0);
  expect(reads.get("acme", "1", "/a", 59_999)).toBe(error);
  expect(reads.get("acme", "1", "/a", 60_000)).toBeUndefined();
  expect(reads.get("acme", "2", "/a", 0)).toBeUndefined();
  expect(reads.get("globex", "1", "/a", 0)).toBeUndefined();
});

it("absent reads keep the newest hundred of an account, without displacing other accounts'", () => {
  const reads = new AbsentReads();
  reads.put("globex", "1", "/theirs", error, 0);
  for (let n = 0; n < 10_000; n++) reads.put("acme", "1", `/${n}`, error, 0);
  const kept = Array.from({ length: 10_000 }, (_, n) => reads.get("acme", "1", `/${n}`, 0)).filter(Boolean);
  expect(kept.length).toBe(100);
  expect(reads.get("acme", "1", "/9999", 0)).toBe(error);
  expect(reads.get("globex", "1", "/theirs", 0)).toBe(error);
});

it("absent reads keep five thousand in total, of the accounts used last, and no long request", () => {
  const reads = new AbsentReads();
  for (let n = 0; n < 6_000; n++) reads.put(`a${n % 100}`, "1", `/${n}`, error, 0);
  const kept = Array.from({ length: 6_000 }, (_, n) => reads.get(`a${n % 100}`, "1", `/${n}`, 0)).filter(Boolean);
  expect(kept.length).toBe(5_000);
  expect(reads.get("a99", "1", "/5999", 0)).toBe(error);
  reads.put("acme", "1", `/${"x".repeat(512)}`, error, 0);
  expect(reads.get("acme", "1", `/${"x".repeat(512)}`, 0)).toBeUndefined();
});

it("a tool's 404 is answered from memory until the tool exists", async () => {
  const { server } = await tenant();
  const path = "/api/v1/tools/look_up_parcel";
  const first = await countRoundTrips(path, server.headers);
  expect(first).toMatchObject({ status: 404, objects: 1, d1: 1 });
  const problem = { ...server.headers, accept: "application/problem+json" };
  const again = await countRoundTrips(path, problem);
  expect(again).toMatchObject({ status: 404, objects: 1, d1: 0, body: { code: "not_found", status: 404 } });
  expect(again.body).toMatchObject({ instance: `urn:uuid:${again.headers.get("x-request-id")}` });
  const tool = { name: "look_up_parcel", implementation_type: "python", implementation_code: "x = 1" };
  expect((await server.post("/api/v1/tools", tool)).status).toBe(201);
  expect(await countRoundTrips(path, server.headers)).toMatchObject({ status: 200, objects: 1, d1: 1 });
});
