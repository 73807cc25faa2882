import { app } from "./app.ts";
import { seedOutdated } from "./catalog/seed.ts";
import { Directory } from "./db/directory.ts";
import { deleteOldRecordings } from "./recordings/retention.ts";

export { AccountGate } from "./accounts/account-gate.ts";
export { Campaign } from "./campaigns/campaign.ts";
export { SandboxCarrier } from "./carriers/sandbox-carrier.ts";
export { RecordingInbox } from "./recordings/inbox.ts";

/** A scheduled run stops taking on accounts to seed after this long, ms. */
const RUN = 25_000;
/** Deleted carrier credentials are kept for the calls that go by them and their recordings, ms. */
const CREDENTIALS_KEPT_MS = 2 * 86_400_000;

export default {
  fetch: app.fetch,
  /** By the crons of wrangler.toml; each job takes up where it was left. */
  scheduled: async ({ scheduledTime }, env) => {
    const unused = new Date(scheduledTime - CREDENTIALS_KEPT_MS).toISOString();
    await Promise.all([
      seedOutdated(env.DB, Date.now() + RUN),
      deleteOldRecordings(env, scheduledTime),
      new Directory(env.DB).purgeCredentials(unused),
    ]);
  },
} satisfies ExportedHandler<Env>;
