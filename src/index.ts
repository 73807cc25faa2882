import { app } from "./app.ts";
import { seedOutdated } from "./catalog/seed.ts";
import { deleteOldRecordings } from "./recordings/retention.ts";
import { forgetFamilies } from "./widget/families.ts";

export { AccountGate } from "./accounts/account-gate.ts";
export { Campaign } from "./campaigns/campaign.ts";
export { SandboxCarrier } from "./carriers/sandbox-carrier.ts";
export { RecordingInbox } from "./recordings/inbox.ts";

/** A scheduled run takes on no more work after this long, ms. */
const RUN = 25_000;

export default {
  fetch: app.fetch,
  /** By the crons of wrangler.toml; all jobs take up where they were left. */
  scheduled: async ({ scheduledTime }, env) => {
    const deadline = Date.now() + RUN;
    await Promise.all([
      seedOutdated(env.DB, deadline),
      deleteOldRecordings(env, scheduledTime),
      forgetFamilies(env.DB, scheduledTime, deadline),
    ]);
  },
} satisfies ExportedHandler<Env>;
