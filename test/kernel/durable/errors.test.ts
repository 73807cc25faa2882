import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AccountMeter } from "../../../src/account/meter/account-meter.ts";
import { AccountClosedError, UniqueViolation } from "../../../src/kernel/db/account-store.ts";
import { campaignObject } from "../../../src/kernel/durable/objects.ts";
import { ApiError, tooMany } from "../../../src/kernel/http/errors.ts";
import { SigningUnavailable } from "../../../src/kernel/secrets/tokens.ts";
import { VaultUnavailable } from "../../../src/kernel/secrets/vault.ts";
import { tenant } from "../../support/client.ts";

/** Returns the meter's error in the form in which a client of GET /call-limits receives it. */
async function answered(error: Error) {
  vi.spyOn(AccountMeter.prototype, "usage").mockRejectedValue(error);
  const { status, code, headers, body } = await (await tenant()).server.get("/api/v1/call-limits");
  return { status, code, body, retryAfter: headers.get("retry-after") };
}

afterEach(() => vi.restoreAllMocks());

describe("an error thrown in an object", () => {
  it("reaches the caller with its name, its message and its own fields, and without its class", async () => {
    const error = await campaignObject(env, "nobody", crypto.randomUUID())
      .record(null)
      .then(
        () => expect.fail("there is no such campaign"),
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ApiError);
    const { name, message, status, code, headers } = error as ApiError;
    expect({ name, message, status, code, headers }).toEqual({
      name: "ApiError",
      message: "campaign not found",
      status: 404,
      code: "not_found",
      headers: {},
    });
  });

  it("an object's error is rendered as if the handler had thrown it, headers included", async () => {
    expect(await answered(tooMany("too_many_looks", "look less", 2_000))).toEqual({
      status: 429,
      code: "too_many_looks",
      body: "look less",
      retryAfter: "2",
    });
  });

  it.each([
    [new AccountClosedError("disabled"), 403, "account_closed"],
    [new VaultUnavailable("no key"), 503, "encryption_unavailable"],
    [new SigningUnavailable("no key"), 503, "signing_unavailable"],
    [new UniqueViolation("there is one"), 400, "duplicate"],
  ])("an object's error is recognized by its name: %s", async (error, status, code) => {
    expect(await answered(error)).toMatchObject({ status, code });
  });

  it.each([
    ["an error of no name of ours", new Error("SELECT secret FROM keys")],
    ["one that only bears the name", Object.assign(new Error("SELECT"), { name: "ApiError", status: 200 })],
    ["one with the name of a property", Object.assign(new Error("SELECT"), { name: "constructor" })],
  ])("an object's unknown error answers 500 without its own words if it is %s", async (_, error) => {
    const masked = { status: 500, code: "internal", body: "internal error", retryAfter: null };
    expect(await answered(error)).toEqual(masked);
  });
});
