import { app } from "./app.ts";
import { deleteOldRecordings } from "./recordings/retention.ts";

export { AccountGate } from "./accounts/account-gate.ts";
export { Campaign } from "./campaigns/campaign.ts";
export { SandboxCarrier } from "./carriers/sandbox-carrier.ts";

export default {
  fetch: app.fetch,
  /** Hourly, see wrangler.toml. */
  scheduled: ({ scheduledTime }, env) => deleteOldRecordings(env, scheduledTime),
} satisfies ExportedHandler<Env>;
