import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { LEDGER_MIGRATIONS } from "../../../src/records/ledger/migrations.ts";
import { LONGEST_TELLING_MS, type Notice, Notices } from "../../../src/records/ledger/notices.ts";
import { heldTimers } from "../../support/held-timers.ts";

const NOW = 1_700_000_000_000;

describe("a ledger's notice", () => {
  it("a notice that hangs counts as failed after its time limit without delaying others", async () => {
    await runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), async (_, { storage }) => {
      migrate(storage, LEDGER_MIGRATIONS, NOW);
      const timers = heldTimers();
      const told: string[] = [];
      const tell = (notice: Notice): Promise<void> => {
        const [id = ""] = notice.to === "tests" ? notice.conversation_ids : [];
        if (id === "hangs") return new Promise(() => {});
        told.push(id);
        return Promise.resolve();
      };
      const notices = new Notices(storage.sql, tell, timers.after);
      for (const id of ["hangs", "other"]) notices.add({ to: "tests", conversation_ids: [id] }, NOW);
      const delivery = notices.deliver(NOW);
      await timers.advance(LONGEST_TELLING_MS);
      await delivery;
      expect([told, notices.count]).toEqual([["other"], 1]);
      expect(storage.sql.exec("SELECT tries, due_at > ? AS waits FROM notices", NOW).one()).toEqual({
        tries: 1,
        waits: 1,
      });
    });
  });
});
