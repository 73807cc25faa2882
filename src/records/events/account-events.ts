import { DurableObject } from "cloudflare:workers";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { logError } from "../../kernel/log.ts";
import type { NewEvent } from "./event.ts";
import { EVENTS_MIGRATIONS } from "./migrations.ts";

/** The events of an account in one sequence, as other objects hand them over. */
export class AccountEvents extends DurableObject<Env> {
  readonly #frame = new ObjectFrame({
    storage: this.ctx.storage,
    migrations: EVENTS_MIGRATIONS,
    build: () => ({}),
    report: (error) => logError("events", error),
  });

  /** Takes events in, each id once; they are durable when this resolves. */
  async take(events: NewEvent[]): Promise<void> {
    this.#frame.open();
    const { storage } = this.ctx;
    storage.transactionSync(() => {
      for (const { id, type, at, data } of events)
        storage.sql.exec(
          "INSERT OR IGNORE INTO events (id, type, at, data) VALUES (?, ?, ?, ?)",
          id,
          type,
          at,
          JSON.stringify(data),
        );
    });
  }

  override async alarm(): Promise<void> {
    await this.#frame.round();
  }
}
