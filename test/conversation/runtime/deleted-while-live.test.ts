import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { leftOf } from "../../records/conversations/support.ts";
import { evict } from "../../support/evict.ts";
import { openRuntime } from "../../support/runtime.ts";
import {
  advanceClock,
  conversing,
  greetedSession,
  hasEnded,
  listed,
  livesWith,
  objectOf,
  recordOf,
  recordOnce,
  stored,
  wake,
} from "./conversing.ts";
import { ended, report, words } from "./reporting.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a conversation that is too long", () => {
  it("ends with everything recorded so far and accepts no more events", async () => {
    const session = await greetedSession();
    const longText = "x".repeat(19_900);
    let seq = 0;
    for (let i = 0; i < 34; i++) {
      const batch = Array.from({ length: 12 }, () => words(++seq, longText));
      expect(await report(session, ...batch)).toBe(seq);
    }
    expect(await report(session, words(++seq))).toBe("413 conversation_too_long");
    const over = await recordOnce(session, hasEnded);
    expect([over.end_reason, over.turn_count, over.complete]).toEqual(["max_length", 408, false]);
    advanceClock(61_000);
    await wake(session, session.call_id);
    vi.useRealTimers();
    expect((await recordOf(session)).turns).toHaveLength(408);
  });
});

describe("a conversation that is deleted while it is live", () => {
  it.each(["live", "just ended", "long ended"])(
    "a deleted live conversation is not restored by late events: %s",
    async (when) => {
      const session = await greetedSession();
      await report(session, words(1), ...(when === "live" ? [] : [ended(2)]));
      const { id } = await recordOf(session);
      if (when === "long ended") {
        await vi.waitFor(async () => expect(await leftOf(session, id)).toEqual({ file: true, row: true }));
        advanceClock(61_000);
        await wake(session, session.call_id);
        vi.useRealTimers();
        expect(await stored(session, session.call_id)).toEqual({ tables: [], alarm: null });
      }
      expect((await session.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
      expect(await report(session, words(3))).toBe("403 session_ended");
      expect((await session.client.get("/api/runtime/v1/session")).code).toBe("session_ended");
      expect(await (await openRuntime(session.session_token)).closed).toMatchObject({ code: 4403 });
      await evict(objectOf(session, session.call_id));
      expect(await report(session, words(3))).toBe("403 session_ended");
      expect([await listed(session), await leftOf(session, id)]).toEqual([[], { file: false, row: false }]);
    },
  );

  it("a deleted live conversation is not restored by pending writes to R2 and D1", async () => {
    const session = await greetedSession();
    await report(session, words(1));
    const { id } = await recordOf(session);
    const [requests, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const put: R2Bucket["put"] = async (...args: Parameters<R2Bucket["put"]>) => {
      requests.resolve();
      await gate.promise;
      return env.CONVERSATIONS.put(...args);
    };
    await livesWith(session, session.call_id, { CONVERSATIONS: { put } });
    await report(session, ended(2));
    await requests.promise;
    const deleted = session.server.delete(`/api/v1/conversations/${id}`);
    await vi.waitFor(async () => expect((await stored(session, session.call_id)).tables).toEqual([]));
    gate.resolve();
    expect((await deleted).status).toBe(204);
    expect([await listed(session), await leftOf(session, id)]).toEqual([[], { file: false, row: false }]);
  });

  it("disconnects everyone in it", async () => {
    const { call, socket } = await conversing();
    const { id } = await recordOf(call);
    expect((await call.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
    expect((await socket.closed).code).toBe(1000);
    expect([await listed(call), await leftOf(call, id)]).toEqual([[], { file: false, row: false }]);
    expect((await stored(call, call.call_id)).tables).toEqual([]);
  });
});
