import { describe, expect, it } from "vitest";
import { CarrierUncertain } from "../../src/carriers/carrier.ts";
import { impatientFetch } from "../../src/carriers/impatient-fetch.ts";

/** A carrier that never answers, but hears when it is given up. */
const silent: typeof fetch = (_, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));

describe("impatientFetch", () => {
  it("gives a carrier up that does not answer, as uncertain", async () => {
    await expect(impatientFetch(1, silent)("https://carrier.test")).rejects.toBeInstanceOf(CarrierUncertain);
  });

  it("heeds the caller's own signal too", async () => {
    const signal = AbortSignal.abort(new TypeError("not wanted any more"));
    const aborted: typeof fetch = async (_, init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    };
    await expect(impatientFetch(60_000, aborted)("https://carrier.test", { signal })).rejects.toThrow("not wanted");
  });

  it("hands an answer on", async () => {
    const answer = await impatientFetch(60_000, async () => new Response("yes"))("https://carrier.test");
    expect(await answer.text()).toBe("yes");
  });
});
