import { counted, formatNumber } from "../format.ts";
import { limits } from "./limits.ts";

/** Texts for the service's operators: accounts and their users. */
export const accounts = {
  title: "Accounts",
  one: "Account",
  lead: "The tenants of this service, their limits and their users.",
  add: "New account",
  create: "Create account",
  emptyTitle: "No accounts yet",
  empty: "Each account is one customer, isolated from all others. Create the first one, then add its users.",
  nothingTitle: "No matching accounts",
  noMatch: (text: string) => `No account matches “${text}”.`,
  clear: "Clear search",
  shown: (shown: number, total: number) =>
    shown === total
      ? counted(total, "account", "accounts")
      : `${formatNumber(shown)} of ${counted(total, "account", "accounts")}`,
  fields: {
    display_name: "Display name",
    name: "Name",
    plan: "Plan",
    state: "Status",
    listed: "Listed",
    created: "Created",
    updated: "Updated",
    ended: "Sessions ended",
  },
  states: { open: "Active", disabled: "Disabled" },
  nameHint:
    "Lowercase letters, digits, “-” and “_”, up to 63 characters. Every key of the account contains it, so it can't be changed.",
  nameRule: "Use only lowercase letters, digits, “-” and “_”, up to 63 characters, starting with a letter or digit.",
  displayNameHint: "What people call the account. Agents know it as {{account_name}}.",
  plans: { starter: "Starter", growth: "Growth", scale: "Scale" },
  planGives: (most: { concurrent_calls: number; calls_per_minute: number; calls_per_day: number }) =>
    `${counted(most.concurrent_calls, "concurrent call", "concurrent calls")}, ${formatNumber(most.calls_per_minute)} per minute, ${formatNumber(most.calls_per_day)} per day.`,
  listedLabel: "Show at sign-in",
  listedHint: "Anyone can see that this account exists and select it instead of typing its name.",
  settings: "Plan and limits",
  keyExpiry: "Maximum API key lifetime (days)",
  keyExpiryHint: "Leave empty for no limit. Existing keys keep their expiration date.",
  retention: "Recording retention (days)",
  retentionHint: "Older recordings are permanently deleted.",
  caps: "Calls",
  quotas: "Quotas",
  limit: "Limit",
  ofPlan: "Plan",
  override: "Override",
  asPlan: "plan default",
  overrideOf: (name: string) => `${name}: override`,
  fallBack: (name: string) => `${name}: reset to plan`,
  overrideHint:
    "Leave an override empty to use the plan's limit. Setting a limit below current usage doesn't remove anything; it only prevents growth.",
  names: limits.names,
  auditLog: "Audit log",
  disable: "Disable",
  enable: "Enable",
  enabled: "Account enabled",
  disabled: "Account disabled",
  disableTitle: (name: string) => `Disable “${name}”?`,
  disableBody:
    "All users and API keys are rejected from their next request, running campaigns place no more calls, and inbound calls aren't answered. Nothing is deleted, and you can enable the account again.",
  endSessions: "End all sessions",
  endSessionsTitle: (name: string) => `End all sessions in “${name}”?`,
  endSessionsBody:
    "Everyone signed in to this account has to sign in again, including through an identity provider. API keys, calls and campaigns keep working.",
  sessionsEnded: "All sessions ended",
};

export const users = {
  ofAccount: { title: "Users", add: "Add user", addTo: (account: string) => `Add a user to ${account}` },
  operators: { title: "Operators", add: "Add operator", addTo: () => "Add an operator of this service" },
  empty:
    "Nobody can sign in with a password yet. Add the first user. Users from an identity provider aren't listed here.",
  fields: { email: "Email", name: "Name", password: "Password" },
  nameHint: "Optional.",
  passwordHint:
    "At least 12 characters. Common passwords, sequences, repetitions, the email and the account name aren't allowed.",
  suggest: "Suggest a password",
  addedTitle: (email: string) => `${email} can now sign in`,
  handOver: "Send them the password over a private channel. They can change it after signing in.",
  you: "you",
  since: "added",
  signOut: "Sign out",
  signOutOf: (email: string) => `Sign out ${email}`,
  signOutTitle: (email: string) => `Sign ${email} out everywhere?`,
  signOutBody: "All their sessions end with their next request. They can sign in again with their password.",
  signedOut: (email: string) => `${email} was signed out everywhere`,
  remove: "Remove",
  removeOf: (email: string) => `Remove ${email}`,
  removeTitle: (email: string) => `Remove ${email}?`,
  removeBody:
    "They can't sign in anymore and are rejected from their next request. Everything they created stays. This can't be undone.",
  removed: (email: string) => `${email} was removed`,
};

/** Texts for the service itself, for its operators. */
export const service = {
  title: "Service",
  lead: "Health, operators and encryption keys.",
  health: "Health",
  allWell: "All systems operational.",
  notWell: (parts: number) => `${counted(parts, "component is", "components are")} failing.`,
  unknown: "Health is unknown because the service didn't respond. This page keeps checking.",
  columns: { part: "Component", state: "Status", took: "Response time", about: "Purpose" },
  works: "Operational",
  fails: "Failing",
  ms: (ms: number) => `${formatNumber(ms)} ms`,
  parts: {
    d1: {
      name: "Database",
      about: "Stores accounts, agents, calls and conversations.",
      remedy: "The database isn't responding. Check the status of D1 and the service log.",
    },
    migrations: {
      name: "Migrations",
      about: "Prepare the database for this release.",
      remedy:
        "The database lacks a migration of this release, or one was changed since. The service log names it. Deploy " +
        "again to apply missing migrations.",
    },
    storage: {
      name: "Storage",
      about: "Keeps recordings and transcripts.",
      remedy: "Recordings and transcripts can't be reached. Check the status of R2 and the service log.",
    },
    gate: {
      name: "Admission",
      about: "Admits requests and enforces rate limits and caps.",
      remedy: "Account gates aren't responding. Check the status of Durable Objects and the service log.",
    },
    ledger: {
      name: "Ledger",
      about: "Records calls and conversations.",
      remedy: "Account ledgers aren't responding. Check the status of Durable Objects and the service log.",
    },
    events: {
      name: "Events",
      about: "Orders events for streams and webhooks.",
      remedy: "Account event sequences aren't responding. Check the status of Durable Objects and the service log.",
    },
    encryption: {
      name: "Encryption",
      about: "Encrypts carrier and integration credentials.",
      remedy: "Secrets can't be encrypted or decrypted. Check ENCRYPTION_KEYS.",
    },
    signing: {
      name: "Signing",
      about: "Signs sessions and links.",
      remedy: "Nobody can sign in. Check SIGNING_KEYS.",
    },
    runtime: {
      name: "Media runtime",
      about: "Handles the audio of calls.",
      remedy: "Calls can't be connected. Check PUBLIC_URL and VOICE_RUNTIME_URL.",
    },
  },
  noAddress: "The service doesn't know its own address, so calls can't be connected. Set PUBLIC_URL.",
  rekey: {
    title: "Encryption keys",
    what: "Carrier credentials and integration secrets are encrypted with the first of ENCRYPTION_KEYS. After you add a new key in front, re-encrypt everything; then you can remove the old key. The service keeps working in the meantime.",
    run: "Re-encrypt secrets",
    running: "Re-encrypting…",
    progress: (done: number, total: number) =>
      `${formatNumber(done)} of ${counted(total, "secret", "secrets")} re-encrypted`,
    leave: "Leaving this page stops it. Run it again to continue where it stopped.",
    nothing: "Every secret already uses the current key.",
    done: (count: number) => `${counted(count, "secret was", "secrets were")} re-encrypted.`,
    canGo: "You can now remove the older keys from ENCRYPTION_KEYS.",
    failed: (count: number) =>
      `${counted(count, "secret", "secrets")} couldn't be decrypted with any configured key and were left unchanged. Keep the older keys. Add the missing key back to ENCRYPTION_KEYS and run this again, or ask those accounts to re-enter their credentials.`,
    stuck: (left: number) =>
      `No progress: ${counted(left, "secret is", "secrets are")} left. Keep the older keys and try again later.`,
  },
};
