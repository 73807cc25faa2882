import type { BucketBinding } from "./account/objects/account-buckets.ts";
import type { ObjectBinding } from "./account/objects/account-objects.ts";
import {
  DELETION_PERSONAL_DATA,
  ERASURE_PERSONAL_DATA,
  GATE_PERSONAL_DATA,
  METER_PERSONAL_DATA,
} from "./account/personal-data.ts";
import { CAMPAIGN_PERSONAL_DATA } from "./campaign/personal-data.ts";
import { CONVERSATION_PERSONAL_DATA, TEST_RUN_PERSONAL_DATA } from "./conversation/personal-data.ts";
import { IDEMPOTENCY_PERSONAL_DATA } from "./kernel/idempotency/personal-data.ts";
import type { PersonalBucket, PersonalTables } from "./kernel/personal-data.ts";
import { INBOX_PERSONAL_DATA, RECORDINGS_PERSONAL_DATA, SANDBOX_PERSONAL_DATA } from "./phone/personal-data.ts";
import {
  CONVERSATIONS_PERSONAL_DATA,
  EVENTS_PERSONAL_DATA,
  LEDGER_PERSONAL_DATA,
  WEBHOOK_PERSONAL_DATA,
} from "./records/personal-data.ts";

/** How a person is found in the tables of each Durable Object class. One without an entry does not compile. */
export const OBJECT_PERSONAL_DATA: Record<ObjectBinding, PersonalTables> = {
  ACCOUNT_GATE: GATE_PERSONAL_DATA,
  ACCOUNT_METER: METER_PERSONAL_DATA,
  ACCOUNT_LEDGER: LEDGER_PERSONAL_DATA,
  ACCOUNT_EVENTS: EVENTS_PERSONAL_DATA,
  CAMPAIGN: CAMPAIGN_PERSONAL_DATA,
  SANDBOX_CARRIER: SANDBOX_PERSONAL_DATA,
  RECORDING_INBOX: INBOX_PERSONAL_DATA,
  CONVERSATION: CONVERSATION_PERSONAL_DATA,
  ERASURE: ERASURE_PERSONAL_DATA,
  IDEMPOTENCY_STORE: IDEMPOTENCY_PERSONAL_DATA,
  TEST_RUN: TEST_RUN_PERSONAL_DATA,
  WEBHOOK: WEBHOOK_PERSONAL_DATA,
  ACCOUNT_DELETION: DELETION_PERSONAL_DATA,
};

/** How a person is found in each bucket. One without an entry does not compile. */
export const BUCKET_PERSONAL_DATA: Record<BucketBinding, PersonalBucket> = {
  RECORDINGS: RECORDINGS_PERSONAL_DATA,
  CONVERSATIONS: CONVERSATIONS_PERSONAL_DATA,
};
