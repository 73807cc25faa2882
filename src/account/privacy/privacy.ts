import { sql } from "drizzle-orm";
import { type AccountStore, subject, type Write } from "../../kernel/db/account-store.ts";
import { changedFields } from "../../kernel/db/audit-changes.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import { auditDaysOf, callSettings, privacySettings, RECORDINGS_STAY_DAYS } from "../../kernel/db/schema/index.ts";
import { DEFAULT_CALL_SETTINGS } from "../../phone/call-settings/settings.ts";
import type { Privacy, PrivacyChanges } from "./contract.ts";

/** Reads how long the account keeps its records, in one D1 round trip. */
export async function readPrivacy(store: AccountStore): Promise<Privacy> {
  const [stored, settings, recordings] = await store.read(
    store.first(privacySettings),
    store.first(callSettings, { columns: ["retention_days"] }),
    store.recordingDays(),
  );
  return {
    conversations_days: settings?.retention_days ?? null,
    recordings_days: recordings === undefined || recordings >= RECORDINGS_STAY_DAYS ? null : recordings,
    calls_days: stored?.calls_days ?? null,
    events_days: stored?.events_days ?? null,
    audit_days: auditDaysOf(stored),
  };
}

/** Changes how long the account keeps its records in one write, with an audit entry if anything changes. */
export async function updatePrivacy(store: AccountStore, sent: PrivacyChanges): Promise<Privacy> {
  const changes = changedFields(await readPrivacy(store), sent);
  if (Object.keys(changes).length === 0) return readPrivacy(store);
  const { conversations_days, recordings_days, calls_days, events_days, audit_days } = sent;
  const own = Object.fromEntries(
    Object.entries({ calls_days, events_days, audit_days }).filter(([, days]) => days !== undefined),
  );
  const others: Write<unknown>[] = [];
  if (recordings_days !== undefined) others.push(store.setRecordingDays(recordings_days ?? RECORDINGS_STAY_DAYS));
  if (conversations_days !== undefined) {
    const differs = sql`${callSettings.retention_days} IS NOT ${conversations_days}`;
    others.push(
      store.insertDefaults(callSettings, { ...DEFAULT_CALL_SETTINGS, revision: OF_DEFAULTS }, null),
      store.revise(callSettings, { retention_days: conversations_days }, differs, null),
    );
  }
  await store.write(
    { action: "update", resource: "privacy", resource_id: store.account, changes },
    subject(
      store.upsert(privacySettings, own, {
        target: [privacySettings.account],
        // The row itself is the subject of the entry, even if only settings in other tables change.
        set: Object.assign({ calls_days: sql`${privacySettings.calls_days}` }, own),
      }),
    ),
    store.retentionDue(),
    ...others,
  );
  return readPrivacy(store);
}
