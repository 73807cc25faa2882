import { env } from "cloudflare:workers";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import type { CallLine, LedgerReport } from "../../../src/records/ledger/report.ts";

const AT = "2026-11-23T09:00:00.000Z";
const line = (over: Partial<CallLine> = {}): CallLine => {
  const base: CallLine = {
    direction: "outbound",
    status: "initiated",
    agent_id: "agent",
    agent_version: null,
    campaign_id: "campaign",
    contact_id: "contact",
    api_key_id: null,
    from_number: "+12025550100",
    to_number: "+13035550110",
    provider: "sandbox",
    credentials_id: null,
    provider_call_id: "CA1",
    end_reason: null,
    started_at: AT,
    connected_at: null,
    ended_at: null,
    recorded: false,
    voicemail: null,
    message: null,
    message_until: null,
    metadata: {},
    variables: {},
    own_metadata: {},
  };
  return Object.assign(base, over);
};
const reported = (id: string, revision: number, over: Partial<CallLine> = {}): LedgerReport => {
  return { part: "line", id, revision, line: line(over) };
};
const volume = () => ledgerVolume(env, `t-${crypto.randomUUID()}`, "2026-11-23");

describe("reports to a ledger", () => {
  it("are facts: an older revision changes nothing, a part may come before its call", async () => {
    const ledger = volume();
    const id = uuidv7({ msecs: Date.parse(AT) });
    await ledger.report([{ part: "hangup", id }]);
    expect(await ledger.call(id)).toBeNull();
    const ended = { status: "completed", connected_at: AT, ended_at: "2026-11-23T09:01:00.000Z", end_reason: "answered" };
    await ledger.report([reported(id, 3, ended), reported(id, 1)]);
    const call = await ledger.call(id);
    expect(call).toMatchObject({ line_revision: 3, status: "completed", hangup_requested: true, created_at: AT });
  });
});
