/** Runs the service with meters whose distance from conversations is METER_AWAY_MS. */
import type { ConversationUse, LiveLease } from "../../../src/account/meter/live-lease.ts";
import type { ToolRunner } from "../../../src/account/meter/tool-rates.ts";
import service, { AccountMeter as NearMeter } from "../../../src/index.ts";

export * from "../../../src/index.ts";
export default service;

/** The account's meter, with a delay in both directions for the requests of conversations. */
export class AccountMeter extends NearMeter {
  override async admit(lease: LiveLease) {
    await this.#way();
    return super.admit(lease);
  }

  override async renew(lease: LiveLease, use: ConversationUse, next: number) {
    await this.#way();
    return super.renew(lease, use, next);
  }

  override async reserveRequest(lease: LiveLease, use: ConversationUse, n: number, tokens: number) {
    await this.#way();
    return super.reserveRequest(lease, use, n, tokens);
  }

  override async leave(id: string, use: ConversationUse) {
    await this.#way();
    return super.leave(id, use);
  }

  override async admitToolRun(runner: ToolRunner) {
    await this.#way();
    return super.admitToolRun(runner);
  }

  async #way(): Promise<void> {
    const { METER_AWAY_MS = "0" } = this.env as Env & { METER_AWAY_MS?: string };
    await scheduler.wait(Number(METER_AWAY_MS));
  }
}
