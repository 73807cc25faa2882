import { describe, expect, it } from "vitest";
import { originate } from "../calls/support.ts";
import { answering, NUMBER, ring } from "./support.ts";

interface Calls {
  calls: { from_number: string }[];
}

describe("a caller's number as a carrier reports it", () => {
  it.each([
    ["+4407911123456", "+447911123456"],
    ["+5215512345678", "+525512345678"],
    ["+447911123456", "+447911123456"],
    ["+15550001111", "+15550001111"],
    ["anonymous", "anonymous"],
  ])("a caller's number %s is stored as %s", async (reported, recorded) => {
    const who = await answering();
    expect((await ring(who, { from_number: reported })).status).toBe(200);
    const { calls } = (await who.server.get<Calls>("/api/v1/calls")).body;
    expect(calls).toMatchObject([{ from_number: recorded }]);
  });

  it("a caller's number matches the account's number in another spelling", async () => {
    const who = await answering();
    const dialled = await ring(who, { to_number: NUMBER.replace("+1", "+11") });
    expect([dialled.status, dialled.body.action]).toEqual([200, "connect"]);
  });

  it("a caller's number is stored in the spelling that campaigns and calls use", async () => {
    const who = await answering();
    await ring(who, { from_number: "+5215512345678" });
    const { calls } = (await who.server.get<Calls>("/api/v1/calls?phone_number=%2B52%2055%201234%205678")).body;
    expect(calls).toHaveLength(1);
    await who.server.post("/api/v1/do-not-call", { numbers: [calls[0]?.from_number] });
    const refused = await originate({ ...who, from_number: NUMBER }, "+52 55 1234 5678");
    expect(refused.code).toBe("do_not_call");
  });

  it("a caller's number that is not valid can be erased as reported", async () => {
    const who = await answering();
    const erase = (phone_number: string) => who.server.post("/api/v1/erasures", { phone_number });
    expect((await erase("+15550001111")).code).toBe("invalid_number");
    await ring(who, { from_number: "+15550001111" });
    expect((await erase("+15550001111")).status).toBe(202);
    expect((await erase("+15550002222")).code).toBe("invalid_number");
    await ring(who, { from_number: "anonymous" });
    expect((await erase("anonymous")).code).toBe("invalid_number");
  });
});
