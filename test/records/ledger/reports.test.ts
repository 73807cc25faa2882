import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import type { CallLine, LedgerReport } from "../../../src/records/ledger/report.ts";
import { newId } from "../../support/ids.ts";

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
    disclosure: null,
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

describe("a report to a ledger", () => {
  it("an older revision of a report changes nothing", async () => {
    const ledger = volume();
    const id = newId(Date.parse(AT));
    await ledger.report([{ part: "hangup", id }]);
    expect(await ledger.call(id)).toBeNull();
    const ended = {
      status: "completed",
      connected_at: AT,
      ended_at: "2026-11-23T09:01:00.000Z",
      end_reason: "answered",
    };
    await ledger.report([reported(id, 3, ended), reported(id, 1)]);
    const call = await ledger.call(id);
    expect(call).toMatchObject({ line_revision: 3, status: "completed", hangup_requested: true, created_at: AT });
  });
});

describe("a conversation on a call", () => {
  const usage = {
    input_tokens: 1,
    cached_tokens: 0,
    output_tokens: 1,
    audio_ms: 0,
    speech_chars: 5,
    carrier_s: 7,
    tool_runs: 0,
  };
  const call_id = newId(Date.parse(AT));
  const conversation = (id: string): LedgerReport => ({
    part: "conversation",
    row: {
      id,
      revision: 1,
      session_key: call_id,
      kind: "call",
      status: "ended",
      direction: "outbound",
      agent_id: "agent",
      agent_version: null,
      prompt_id: null,
      call_id,
      campaign_id: null,
      contact_id: null,
      api_key_id: null,
      visitor_id: null,
      visitor_type: null,
      phone_number: "+13035550110",
      variables: {},
      started_at: AT,
      ended_at: "2026-11-23T09:00:07.000Z",
      end_reason: "transferred",
      disclosure: null,
      disclosed: null,
      disclosed_at: null,
      transferred_to: null,
      disposition: null,
      turn_count: 1,
      tool_call_count: 0,
      usage,
      rates: null,
      latency: { first_ms: null, median_ms: null, max_ms: null },
      complete: true,
      archived: true,
      analysis_status: null,
      successful: null,
      analysis_brief: null,
    },
  });
  const over = reported(call_id, 2, {
    status: "completed",
    connected_at: AT,
    ended_at: "2026-11-23T09:01:00.500Z",
  });

  it.each([
    ["before", (held: LedgerReport) => [over, held]],
    ["after", (held: LedgerReport) => [held, over]],
  ])(
    "a conversation on a call takes the call's own seconds, whether the call's end comes %s it",
    async (_, inOrder) => {
      const ledger = volume();
      const id = idBeside(call_id);
      await ledger.report(inOrder(conversation(id)));
      expect((await ledger.conversation(id))?.usage).toEqual(Object.assign({}, usage, { carrier_s: 61 }));
    },
  );
});
