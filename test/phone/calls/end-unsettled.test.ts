import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { endUnsettled } from "../../../src/phone/calls/end-unsettled.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { putCall } from "../../support/ledger.ts";
import { KINDS } from "./call-kinds.ts";
import { type Caller, getCall, settled } from "./support.ts";

/** The longest duration of a call, plus 10 minutes without an answer of its carrier, ms. */
const UNSETTLED_FOR_MS = Number(env.CALL_MAX_DURATION_S) * 1_000 + 600_000;

/** Ends the call as an erasure does that finds it still running, `later` ms from now. */
function endLater({ account }: Pick<Tenant, "account">, id: string, later: number): Promise<boolean> {
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  return endUnsettled({ env, store, now: Date.now() + later }, id);
}

/** Returns the audit entries about the end of the call. */
async function endings({ server }: Pick<Caller, "server">, id: string): Promise<string[]> {
  type Log = { entries: { action: string; resource_id: string }[] };
  const { entries } = (await server.get<Log>("/api/v1/audit-log?resource=call&action=end")).body;
  return entries.filter(({ resource_id }) => resource_id === id).map(({ action }) => action);
}

const connected = () => ({ status: "in-progress", connected_at: new Date().toISOString() });
const ENDED = { status: "completed", end_reason: "no_final_event" };

describe.each<[string, string | null]>([
  ["a single call", null],
  ["the call of a deleted campaign", crypto.randomUUID()],
])("%s whose carrier reports nothing", (_, campaign_id) => {
  it("stays open until 10 minutes past its limit", async () => {
    const who = await tenant();
    const id = await putCall(who.account, { campaign_id, ...connected() });
    expect(await endLater(who, id, UNSETTLED_FOR_MS - 60_000)).toBe(false);
    expect(await getCall(who.server, id)).toMatchObject({ status: "in-progress", ended_at: null });
    expect(await endings(who, id)).toEqual([]);
  });

  it("ends as unknown after that, with one audit entry", async () => {
    const who = await tenant();
    const id = await putCall(who.account, { campaign_id, ...connected() });
    expect(await endLater(who, id, UNSETTLED_FOR_MS)).toBe(true);
    expect(await getCall(who.server, id)).toMatchObject(ENDED);
    expect(await endLater(who, id, UNSETTLED_FOR_MS)).toBe(true);
    expect(await endings(who, id)).toEqual(["end"]);
  });
});

it("a running campaign's call is left to its campaign, however late it is", async () => {
  const [, begin] = KINDS.find(([kind]) => kind === "a campaign's call") ?? [];
  const call = await begin?.();
  if (call === undefined) throw new RangeError("no such kind of call");
  const { who, id, report } = call;
  expect(await endLater(who, id, 2 * UNSETTLED_FOR_MS)).toBe(false);
  expect(await getCall(who.server, id)).toMatchObject({ status: "in-progress", ended_at: null });
  expect(await endings(who, id)).toEqual([]);
  expect(await report({ status: "completed", reason: "normal_clearing" })).toBe(204);
  await settled(who.server, id, ({ ended_at }) => ended_at !== null);
  expect(await endLater(who, id, 0)).toBe(true);
});
