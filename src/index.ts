import { wakeDeletions } from "./account-data/deletion/wake.ts";
import { expiryJobs } from "./account-data/expiry.ts";
import { seedOutdated } from "./agent/marketplace/seed-catalog.ts";
import { announceEndings } from "./agent/models/announce-endings.ts";
import { deleteOldVersions } from "./agent/versions/retention.ts";
import { app } from "./app.ts";
import { Maintenance } from "./kernel/db/maintenance.ts";
import { withPath } from "./kernel/http/request-path.ts";
import { DAY_MS } from "./kernel/time.ts";
import { tellDueLedgers } from "./records/ledger/tell-retention.ts";
import { runJobs } from "./scheduled-jobs.ts";

export { AccountGate } from "./account/gate/account-gate.ts";
export { AccountMeter } from "./account/meter/account-meter.ts";
export { AccountDeletion } from "./account-data/deletion/account-deletion.ts";
export { Erasure } from "./account-data/erasures/erasure.ts";
export { KnowledgeBase } from "./agent/knowledge/object/knowledge-base.ts";
export { Campaign } from "./campaign/campaign.ts";
export { Conversation } from "./conversation/runtime/conversation.ts";
export { TestRun } from "./conversation/test-runs/test-run.ts";
export { IdempotencyStore } from "./kernel/idempotency/idempotency-store.ts";
export { SandboxCarrier } from "./phone/carriers/sandbox-carrier.ts";
export { RecordingInbox } from "./phone/recordings/inbox.ts";
export { AccountEvents } from "./records/events/account-events.ts";
export { AccountLedger } from "./records/ledger/account-ledger.ts";
export { Webhook } from "./records/webhooks/object/webhook.ts";

/** How long deleted carrier credentials are kept, ms, because calls and recordings still use them. */
const CREDENTIALS_KEPT_MS = 2 * DAY_MS;

export default {
  fetch: (request, env, context) => app.fetch(withPath(request), env, context),
  /** Runs on the crons of wrangler.toml. Each job resumes where it stopped. */
  scheduled: async ({ scheduledTime }, env) => {
    const credentialsBefore = new Date(scheduledTime - CREDENTIALS_KEPT_MS).toISOString();
    await runJobs(
      {
        catalogue: (deadline) => seedOutdated(env, deadline),
        retention: (deadline) =>
          tellDueLedgers(env, scheduledTime, deadline, (accounts) => announceEndings(env, accounts, scheduledTime)),
        versions: (deadline) => deleteOldVersions(env, scheduledTime, deadline),
        ...expiryJobs(env, scheduledTime),
        deletions: () => wakeDeletions(env, scheduledTime),
        credentials: () => new Maintenance(env.DB).purgeCredentials(credentialsBefore),
      },
      env,
    );
  },
} satisfies ExportedHandler<Env>;
