import { app } from "./app.ts";
import { seedOutdated } from "./catalog/seed.ts";
import { deleteOldRecordings } from "./recordings/retention.ts";

export { AccountGate } from "./accounts/account-gate.ts";
export { Campaign } from "./campaigns/campaign.ts";
export { SandboxCarrier } from "./carriers/sandbox-carrier.ts";
export { RecordingInbox } from "./recordings/inbox.ts";

/** A scheduled run stops taking on accounts to seed after this long, ms. */
const RUN = 25_000;

export default {
  fetch: app.fetch,
  /** By the crons of wrangler.toml; both jobs take up where they were left. */
  scheduled: async ({ scheduledTime }, env) => {
    await Promise.all([seedOutdated(env.DB, Date.now() + RUN), deleteOldRecordings(env, scheduledTime)]);
  },
} satisfies ExportedHandler<Env>;
