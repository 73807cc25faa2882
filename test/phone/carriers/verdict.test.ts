import { describe, expect, it } from "vitest";
import { CarrierRefusal, CarrierUncertain } from "../../../src/phone/carriers/carrier.ts";
import { verdictOf } from "../../../src/phone/carriers/verdict.ts";

const tried = (error: Error) => verdictOf(() => Promise.reject(error));

describe("credentials that are tried at a carrier", () => {
  it("a carrier's answer accepts or rejects the credentials", async () => {
    const accepted = { ok: true, detail: "twilio accepts the credentials" };
    expect(await verdictOf(async () => accepted)).toEqual({ ...accepted, answered: true });
    expect(await tried(new CarrierRefusal("auth", "twilio refused"))).toEqual({
      ok: false,
      answered: true,
      detail: "twilio refused",
    });
  });

  it.each([
    ["is down", new CarrierRefusal("outage", "twilio did not answer")],
    ["asks for fewer requests", new CarrierRefusal("rate", "too many requests")],
    ["breaks off", new CarrierUncertain("twilio did not answer")],
  ])("credentials are not blamed if the carrier %s", async (_, error) => {
    expect(await tried(error)).toEqual({ ok: false, answered: false, detail: error.message });
  });

  it("a programming error does not count as a verdict on credentials", async () => {
    await expect(tried(new TypeError("ours"))).rejects.toThrow("ours");
  });
});
