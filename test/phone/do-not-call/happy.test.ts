import { describe, expect, it } from "vitest";
import { type Campaign, contactsCsv, isOver, ready, upload, watch } from "../../campaign/support.ts";
import { tenant } from "../../support/client.ts";
import { caller, originate } from "../calls/support.ts";

const LIST = "/api/v1/do-not-call";
interface Page {
  numbers: { phone_number: string; reason: string | null; created_at: string }[];
  total: number;
  limit: number;
  offset: number;
}

describe("the do-not-call list", () => {
  it("the do-not-call list counts added numbers, pages through them and removes them", async () => {
    const { server } = await tenant();
    const one = await server.post(LIST, { numbers: ["+13035550110"], reason: "asked us to stop" });
    expect([one.status, one.body]).toEqual([201, { added: 1 }]);
    const numbers = Array.from({ length: 250 }, (_, i) => `+1303555${1000 + i}`);
    const many = await server.post(LIST, { numbers: ["+13035550110", ...numbers, ...numbers] });
    expect([many.status, many.body]).toEqual([201, { added: 250 }]);
    expect((await server.post(LIST, { numbers })).body).toEqual({ added: 0 });

    const first = (await server.get<Page>(LIST)).body;
    expect(first).toMatchObject({ total: 251, limit: 10, offset: 0 });
    expect(first.numbers).toHaveLength(10);
    const last = (await server.get<Page>(`${LIST}?limit=100&offset=250`)).body;
    expect(last.numbers).toMatchObject([{ phone_number: "+13035550110", reason: "asked us to stop" }]);

    for (const written of ["%2B13035550110", "+13035551000"])
      expect((await server.delete(`${LIST}/${written}`)).status).toBe(204);
    expect((await server.get<Page>(LIST)).body.total).toBe(249);
  });

  it("a listed number cannot be called until it is removed from the do-not-call list", async () => {
    const who = await caller();
    const to = "+13035550110";
    await who.server.post(LIST, { numbers: [to] });
    const refused = await originate(who, to);
    expect([refused.status, refused.code]).toEqual([400, "do_not_call"]);
    await who.server.delete(`${LIST}/${to}`);
    expect((await originate(who, to)).status).toBe(200);
  });

  it("a campaign checks the do-not-call list when it dials and in its plan", async () => {
    const who = await tenant();
    const created = await upload(who.server, contactsCsv(4), await ready(who));
    const path = `/api/v1/campaigns/${created.body.id}`;
    // The numbers are listed after the upload, because only the moment of dialing counts.
    await who.server.post(LIST, { numbers: ["+13034000010", "+13034000210", "+13039999999"] });
    type Plan = { waiting: { do_not_call: number } };
    expect((await who.server.get<Plan>(`${path}/plan`)).body.waiting.do_not_call).toBe(2);
    const watching = watch(who.server, created.body.id, isOver);
    await who.server.post(`${path}/start`);
    await watching;
    expect((await who.server.get<Campaign>(path)).body.counts).toMatchObject({ completed: 2, pending: 0 });
    type Contacts = { contacts: { phone_number: string; outcome: string; attempt_count: number }[] };
    const { contacts } = (await who.server.get<Contacts>(`${path}/contacts`)).body;
    const blocked = contacts.filter(({ outcome }) => outcome === "do_not_call");
    expect(blocked.map(({ phone_number }) => phone_number)).toEqual(["+13034000010", "+13034000210"]);
    expect(blocked.every(({ attempt_count }) => attempt_count === 0)).toBe(true);
    const calls = await who.server.get<{ total: number }>(`/api/v1/calls?campaign_id=${created.body.id}`);
    expect(calls.body.total).toBe(2);
  });
});
