import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  type Call,
  type Calls,
  caller,
  getCall,
  isOver,
  originate,
  report,
  running,
  settled,
  slowly,
} from "./support.ts";

describe("calls", () => {
  it("a placed call is recorded until it ends", async () => {
    const who = await caller();
    const placed = await originate(who, "+13035550110");
    expect(placed.status).toBe(200);
    expect(Object.keys(placed.body).sort()).toEqual(
      "agent_id call_id created_at from_number metadata provider provider_call_id recorded status to_number variables".split(
        " ",
      ),
    );
    expect(placed.body).toMatchObject({ status: "initiated", provider: "sandbox", to_number: "+13035550110" });
    const call = await settled(who.server, placed.body.call_id, isOver);
    expect(call).toMatchObject({ direction: "outbound", status: "completed", end_reason: "answered" });
    expect(call).toMatchObject({ campaign_id: null, metadata: { answered_by: "human" } });
    expect(call.duration_ms).toBe(Date.parse(call.ended_at ?? "") - Date.parse(call.connected_at ?? ""));
    await expect.poll(() => running(who.server)).toBe(0);
  });

  it.each([
    ["01", "busy", "busy"],
    ["02", "no-answer", "no_answer"],
    ["03", "failed", "failed"],
    ["05", "completed", "machine"],
    ["07", "completed", "answered"],
  ])("a sandbox number that ends in %s ends as %s", async (suffix, status, end_reason) => {
    const who = await caller();
    const { call_id } = (await originate(who, `+130355501${suffix}`)).body;
    const call = await settled(who.server, call_id, isOver);
    expect(call).toMatchObject({ status, end_reason });
    expect(call.metadata.answered_by).toBe({ "05": "machine", "07": "human" }[suffix]);
    await expect.poll(() => running(who.server)).toBe(0);
  });

  it("who answered is stored even after the answer, but not after the end", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110", { voicemail: "continue" })).body;
    await settled(who.server, call_id, ({ status }) => status === "ringing");
    await report(who, call_id, { status: "in-progress" });
    expect((await report(who, call_id, { status: "in-progress", answered_by: "machine" })).status).toBe(204);
    const listed = await getCall(who.server, call_id);
    expect(listed).toMatchObject({ status: "in-progress", metadata: { answered_by: "machine" } });
    await report(who, call_id, { status: "completed" });
    await report(who, call_id, { status: "completed", answered_by: "human" });
    expect(await getCall(who.server, call_id)).toMatchObject({ metadata: { answered_by: "machine" } });
  });

  it("a sandbox number that ends in 06 stays answered: the final event never comes", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    expect(await running(who.server)).toBe(1);
  });

  it("calls are listed newest first by agent, campaign or status, a page at a time", async () => {
    const who = await caller();
    const ids: string[] = [];
    for (const to of ["+13035550101", "+13035550102", "+13035550101"]) {
      const { call_id } = (await originate(who, to)).body;
      await settled(who.server, call_id, isOver);
      ids.unshift(call_id);
    }
    const list = async (query: string) => (await who.server.get<Calls>(`/api/v1/calls?${query}`)).body;
    const idsOf = ({ calls }: Calls) => calls.map(({ call_id }) => call_id);
    const all = await list("");
    expect(all).toMatchObject({ total: 3, limit: 10, offset: 0 });
    expect(idsOf(all)).toEqual(ids);
    expect(await list("status=busy")).toMatchObject({ total: 2 });
    expect(await list(`agent_id=${who.agent_id}&status=no-answer`)).toMatchObject({ total: 1 });
    expect(await list(`agent_id=${crypto.randomUUID()}`)).toMatchObject({ total: 0, calls: [] });
    expect(await list(`campaign_id=${crypto.randomUUID()}`)).toMatchObject({ total: 0, calls: [] });
    const page = await list("limit=1&offset=1");
    expect([page.total, page.limit, page.offset, idsOf(page)]).toEqual([3, 1, 1, [ids[1]]]);
  });

  it("hanging up returns the call as its carrier now reports it", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    // The carrier's own time limit is far ahead.
    await runInDurableObject(env.SANDBOX_CARRIER.getByName(who.account), (_, state) =>
      state.storage.sql.exec("UPDATE calls SET placed_at = placed_at + 3600000"),
    );
    const answer = await who.server.post<Call>(`/api/v1/calls/${call_id}/hangup`);
    expect([answer.status, answer.body.call_id]).toEqual([200, call_id]);
    expect(answer.body).toMatchObject({ status: "canceled", end_reason: "hangup" });
    expect(await running(who.server)).toBe(0);
    const again = await who.server.post<Call>(`/api/v1/calls/${call_id}/hangup`);
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });
});
