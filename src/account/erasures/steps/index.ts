import type { Step } from "../step.ts";
import { eraseInCampaigns } from "./campaigns.ts";
import { deleteAtCarriers } from "./carriers.ts";
import { hashOptOut } from "./do-not-call.ts";
import { hangUpLive } from "./live.ts";
import {
  gatherEvents,
  maskInActs,
  maskInAuditLog,
  maskInCampaignList,
  maskInEvents,
  maskInLedger,
  maskInWebhooks,
} from "./mentions.ts";
import { forgetAtSandbox, forgetConfirmations, forgetMetered, maskAnswers } from "./others.ts";
import { eraseRecords } from "./records.ts";

/**
 * The steps of an erasure in order: live things end first; everything that reports to the ledger is cleared before the
 * ledger, and the ledger before what it reports to. Jobs store their progress under these names.
 */
export const STEPS: Readonly<Record<string, Step>> = {
  live: hangUpLive,
  campaigns: eraseInCampaigns,
  do_not_call: hashOptOut,
  records: eraseRecords,
  carriers: deleteAtCarriers,
  ledger: maskInLedger,
  answers: maskAnswers,
  meter: forgetMetered,
  confirmations: forgetConfirmations,
  sandbox: forgetAtSandbox,
  campaign_list: maskInCampaignList,
  audit_log: maskInAuditLog,
  acts: maskInActs,
  gather_events: gatherEvents,
  events: maskInEvents,
  webhooks: maskInWebhooks,
};
