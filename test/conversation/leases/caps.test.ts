import { describe, expect, it, vi } from "vitest";
import { setQuotas, use } from "../../account/quotas/support.ts";
import { type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { guest, readyOrClosed, talk, user } from "./support.ts";

const CAP = { code: 4429, reason: "conversation_cap" };
const session = ({ server }: Pick<WidgetTenant, "server">, token: string) =>
  server.get("/api/runtime/v1/session", { "x-visitor-token": token });
const live = async (who: Parameters<typeof use>[0]) => (await use(who, "conversations"))?.used;

describe("the cap of live conversations", () => {
  it("a live conversation beyond the account's quota is refused until another has ended", async () => {
    const who = await widgetTenant();
    await setQuotas(who.account, { conversations: 2 });
    const first = await talk((await user(who, "a")).access_token);
    const second = await talk((await user(who, "b")).access_token);
    expect(await Promise.all([first, second].map(readyOrClosed))).toEqual(["ready", "ready"]);
    expect(await use(who, "conversations")).toEqual({ limit: 2, used: 2 });
    const third = (await user(who, "c")).access_token;
    expect(await readyOrClosed(await talk(third))).toEqual(CAP);
    const { status, code, headers } = await session(who, third);
    expect([status, code]).toEqual([429, "conversation_cap"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    first.send({ type: "message", text: "goodbye" });
    await first.closed;
    await vi.waitFor(async () => expect(await live(who)).toBe(1));
    expect(await readyOrClosed(await talk(third))).toBe("ready");
  });

  it("allows two per visitor", async () => {
    const who = await widgetTenant();
    const sockets = await Promise.all(["a", "a", "a", "b"].map(async (id) => talk((await user(who, id)).access_token)));
    const outcomes = await Promise.all(sockets.map(readyOrClosed));
    expect(outcomes.slice(0, 3).filter((one) => one === "ready")).toHaveLength(2);
    expect(outcomes.slice(0, 3)).toContainEqual(CAP);
    expect(outcomes[3]).toBe("ready");
  });

  it("the cap of live conversations is available to guests at most by half", async () => {
    const who = await widgetTenant();
    await setQuotas(who.account, { conversations: 4 });
    const outcomes = [];
    for (let n = 0; n < 3; n++) outcomes.push(await readyOrClosed(await talk((await guest(who)).access_token)));
    expect(outcomes).toEqual(["ready", "ready", CAP]);
    expect(await readyOrClosed(await talk((await user(who, "a")).access_token))).toBe("ready");
  });

  it("does not count a conversation that was refused before it began", async () => {
    const who = await widgetTenant();
    const { access_token } = await guest(who);
    await who.user.patch(`/api/v1/agents/${who.agentId}`, { auth_mode: "authenticated" });
    expect(await readyOrClosed(await talk(access_token))).toEqual({ code: 4401, reason: "guest_not_allowed" });
    await vi.waitFor(async () => expect(await live(who)).toBe(0));
  });
});
