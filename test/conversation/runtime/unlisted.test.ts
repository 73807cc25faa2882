import { describe, expect, it } from "vitest";
import { AccountLedger } from "../../../src/records/ledger/account-ledger.ts";
import { ledgerDoes } from "../../records/conversations/support.ts";
import { tenant } from "../../support/client.ts";
import { openRuntime, type RuntimeSocket } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { sessionOf, withAgent } from "../agent-sessions/support.ts";

const isReady = ({ type }: { type: string }) => type === "ready";

/** Begins a conversation as a visitor or as a member of the account. */
const BEGIN = {
  async visitor() {
    const who = await widgetTenant();
    const { access_token } = (await page().guest(who.widgetKey.key)).body;
    const socket = await openRuntime();
    return { who, socket, begin: () => socket.send({ type: "session", access_token }) };
  },
  async tester() {
    const who = await withAgent();
    const { access_token } = await sessionOf(who.user, who.agentId);
    const socket = await openRuntime();
    return { who, socket, begin: () => socket.send({ type: "session", access_token }) };
  },
};

async function named(socket: RuntimeSocket): Promise<string> {
  const ready = (await socket.until(isReady)).at(-1);
  return `/api/v1/conversations/${ready?.conversation_id}`;
}

describe.each(["visitor", "tester"] as const)("a conversation with a %s that is not listed yet", (whom) => {
  it("a conversation that is not listed yet is found and erased by the id in `ready`", async () => {
    const { who, socket, begin } = await BEGIN[whom]();
    await ledgerDoes(who, { report: () => Promise.reject(new Error("the ledger is away")) });
    begin();
    const path = await named(socket);
    expect(await who.server.get(path)).toMatchObject({
      status: 200,
      body: { status: "live", kind: expect.any(String) },
    });
    const other = await tenant();
    expect([(await other.server.get(path)).status, (await other.server.delete(path)).status]).toEqual([404, 404]);
    // The conversation is kept until its usage was counted.
    expect((await who.server.delete(path)).status).toBe(503);
    expect(await socket.closed).toMatchObject({ code: 1000, reason: "erased" });
    await ledgerDoes(who, { report: AccountLedger.prototype.report });
    expect((await who.server.delete(path)).status).toBe(204);
    expect((await who.server.get(path)).status).toBe(404);
  });
});
