import { wakeDeletions } from "./account/deletion/wake.ts";
import { deleteOldAuditEntries, deleteOldCalls, deleteOldDays } from "./account/privacy/retention.ts";
import { seedOutdated } from "./agent/marketplace/seed-catalog.ts";
import { deleteOldVersions } from "./agent/versions/retention.ts";
import { app } from "./app.ts";
import { forgetFamilies } from "./conversation/widget/families.ts";
import { Maintenance } from "./kernel/db/maintenance.ts";
import { withPath } from "./kernel/http/asterisk.ts";
import { DAY_MS } from "./kernel/time.ts";
import { deleteOldRecordings } from "./phone/recordings/retention.ts";
import { deleteOldConversations } from "./records/conversations/retention.ts";

export { AccountDeletion } from "./account/deletion/account-deletion.ts";
export { Erasure } from "./account/erasures/erasure.ts";
export { AccountGate } from "./account/gate/account-gate.ts";
export { AccountMeter } from "./account/meter/account-meter.ts";
export { Campaign } from "./campaign/campaign.ts";
export { Conversation } from "./conversation/runtime/conversation.ts";
export { TestRun } from "./conversation/test-runs/test-run.ts";
export { IdempotencyStore } from "./kernel/idempotency/idempotency-store.ts";
export { SandboxCarrier } from "./phone/carriers/sandbox-carrier.ts";
export { RecordingInbox } from "./phone/recordings/inbox.ts";
export { AccountEvents } from "./records/events/account-events.ts";
export { AccountLedger } from "./records/ledger/account-ledger.ts";
export { Webhook } from "./records/webhooks/object/webhook.ts";

/** A scheduled run starts no further work after this long, ms. */
const RUN_MS = 25_000;
/** Deleted carrier credentials are kept this long for calls that still use them and their recordings, ms. */
const CREDENTIALS_KEPT_MS = 2 * DAY_MS;

export default {
  fetch: (request, env, context) => app.fetch(withPath(request), env, context),
  /** Runs on the crons of wrangler.toml; each job resumes where it stopped. */
  scheduled: async ({ scheduledTime }, env) => {
    const deadline = Date.now() + RUN_MS;
    await Promise.all([
      seedOutdated(env, deadline),
      deleteOldRecordings(env, scheduledTime, deadline),
      deleteOldConversations(env, scheduledTime, deadline),
      deleteOldVersions(env, scheduledTime, deadline),
      deleteOldCalls(env, scheduledTime, deadline),
      deleteOldAuditEntries(env, scheduledTime, deadline),
      deleteOldDays(env, scheduledTime, deadline),
      forgetFamilies(env.DB, scheduledTime, deadline),
      wakeDeletions(env, scheduledTime),
      new Maintenance(env.DB).purgeCredentials(new Date(scheduledTime - CREDENTIALS_KEPT_MS).toISOString()),
    ]);
  },
} satisfies ExportedHandler<Env>;
