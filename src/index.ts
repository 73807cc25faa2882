import { app } from "./app.ts";
import { deleteOldConversations } from "./conversations/retention.ts";
import { LookUps } from "./db/look-ups.ts";
import { withPath } from "./http/asterisk.ts";
import { seedOutdated } from "./marketplace/seed-catalog.ts";
import { deleteOldRecordings } from "./recordings/retention.ts";
import { forgetFamilies } from "./widget/families.ts";

export { AccountGate } from "./account-gate/account-gate.ts";
export { Campaign } from "./campaigns/campaign.ts";
export { SandboxCarrier } from "./carriers/sandbox-carrier.ts";
export { IdempotencyStore } from "./idempotency/idempotency-store.ts";
export { RecordingInbox } from "./recordings/inbox.ts";
export { Conversation } from "./runtime/conversation.ts";

/** A scheduled run takes on no more work after this long, ms. */
const RUN_MS = 25_000;
/** Deleted carrier credentials are kept for the calls that go by them and their recordings, ms. */
const CREDENTIALS_KEPT_MS = 2 * 86_400_000;

export default {
  fetch: (request, env, context) => app.fetch(withPath(request), env, context),
  /** By the crons of wrangler.toml; each job takes up where it was left. */
  scheduled: async ({ scheduledTime }, env) => {
    const deadline = Date.now() + RUN_MS;
    await Promise.all([
      seedOutdated(env, deadline),
      deleteOldRecordings(env, scheduledTime),
      deleteOldConversations(env, scheduledTime, deadline),
      forgetFamilies(env.DB, scheduledTime, deadline),
      new LookUps(env.DB).purgeCredentials(new Date(scheduledTime - CREDENTIALS_KEPT_MS).toISOString()),
    ]);
  },
} satisfies ExportedHandler<Env>;
