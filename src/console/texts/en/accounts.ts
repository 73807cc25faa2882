import { counted, formatNumber } from "../format.ts";
import { limits } from "./limits.ts";

const calls = (value: number) => counted(value, "call", "calls");

/** What the service's operators see: accounts, their users, and the service itself. */
export const accounts = {
  title: "Accounts",
  lead: "The tenants of this service: what each may use, and who works in it.",
  add: "New account",
  create: "Create account",
  emptyTitle: "No accounts yet",
  empty: "An account is one customer, walled off from all others. Create the first one, then add its users.",
  noMatchTitle: "Nothing matches",
  noMatch: (text: string) => `No account is called “${text}”.`,
  clear: "Clear the search",
  shown: (shown: number, total: number) =>
    shown === total
      ? counted(total, "account", "accounts")
      : `${formatNumber(shown)} of ${counted(total, "account", "accounts")}`,
  fields: {
    display_name: "Display name",
    name: "Name",
    plan: "Plan",
    state: "State",
    listed: "Listed",
    created: "Created",
    updated: "Changed",
    ended: "Sessions ended",
  },
  states: { open: "Open", disabled: "Disabled" },
  nameHint: "Small letters, digits, “-” and “_”, up to 63. It is in every key of the account and never changes.",
  nameRule: "Use small letters, digits, “-” and “_” only, up to 63, and begin with a letter or a digit.",
  displayNameHint: "What people call the account. Agents know it as {{account_name}}.",
  plans: { starter: "Starter", growth: "Growth", scale: "Scale" },
  planGives: (most: { concurrent_calls: number; calls_per_minute: number; calls_per_day: number }) =>
    `${calls(most.concurrent_calls)} at a time, ${formatNumber(most.calls_per_minute)} a minute, ${formatNumber(most.calls_per_day)} a day.`,
  listedLabel: "Offer it at sign-in",
  listedHint: "Anybody can then see that this account exists, and choose it instead of writing its name.",
  settings: "Plan and limits",
  keyExpiry: "API keys are good for at most (days)",
  keyExpiryHint: "Empty for no limit. Keys that exist keep their end.",
  retention: "Recordings are kept for (days)",
  retentionHint: "Older ones are deleted, and cannot be brought back.",
  caps: "Calls",
  quotas: "What the account may hold",
  limit: "Limit",
  ofPlan: "Plan",
  override: "Override",
  asPlan: "as plan",
  overrideOf: (name: string) => `${name}: override`,
  fallBack: (name: string) => `${name}: back to the plan’s`,
  overrideHint:
    "An empty override leaves it to the plan. A limit below what is used takes nothing away: it only keeps it from growing.",
  names: limits.names,
  auditLog: "Audit log",
  disable: "Disable",
  enable: "Enable",
  enabled: "The account is open again",
  disabled: "The account is disabled",
  disableTitle: (name: string) => `Disable “${name}”?`,
  disableBody:
    "From the next request on, everybody who is signed in and every API key is refused, running campaigns begin no further call, and calls that come in are not answered. Nothing is deleted, and you can enable it again.",
  endSessions: "End all sessions",
  endSessionsTitle: (name: string) => `End all sessions of “${name}”?`,
  endSessionsBody:
    "Everybody who is signed in to the console of this account must sign in again, whoever vouches for them. API keys, calls and campaigns go on.",
  sessionsEnded: "All sessions are over",
};

/** Who works in an account. */
export const users = {
  ofAccount: { title: "Users", add: "Add user", addTo: (account: string) => `Add a user to ${account}` },
  operators: { title: "Operators", add: "Add operator", addTo: () => "Add an operator of this service" },
  empty:
    "Nobody can sign in with a password yet. Add the first user; those of an identity provider are not listed here.",
  fields: { email: "Email", name: "Name", password: "Password" },
  nameHint: "What to call them. May be empty.",
  passwordHint: "At least 12 characters; no common password, sequence or repetition, and not the email or the account.",
  suggest: "Suggest one",
  addedTitle: (email: string) => `${email} can sign in now`,
  handOver: "Give them the password by a way that nobody else reads. They can change it once they are signed in.",
  you: "you",
  since: "added",
  signOut: "Sign out",
  signOutOf: (email: string) => `Sign out ${email}`,
  signOutTitle: (email: string) => `Sign ${email} out everywhere?`,
  signOutBody: "Every session of theirs ends with its next request. They can sign in again with their password.",
  signedOut: (email: string) => `${email} is signed out everywhere`,
  remove: "Remove",
  removeOf: (email: string) => `Remove ${email}`,
  removeTitle: (email: string) => `Remove ${email}?`,
  removeBody:
    "They can no longer sign in, and are refused from their next request on. What they made stays. This cannot be undone.",
  removed: (email: string) => `${email} is removed`,
};

/** The service itself, for its operators. */
export const service = {
  title: "Service",
  lead: "Whether it can do its work, who operates it, and the keys that its secrets are sealed with.",
  health: "Health",
  allWell: "Everything works.",
  notWell: (parts: number) => `${counted(parts, "part does", "parts do")} not work.`,
  unknown: "Health cannot be told right now: the service did not answer. This page keeps asking.",
  columns: { part: "Part", state: "State", took: "Took", about: "What it is for" },
  works: "Works",
  fails: "Does not work",
  ms: (ms: number) => `${formatNumber(ms)} ms`,
  parts: {
    d1: {
      name: "Database",
      about: "Everything that is listed: accounts, agents, calls, conversations.",
      remedy: "The database does not answer. See the state of D1, and the service’s log.",
    },
    gate: {
      name: "Admission",
      about: "Lets every request in, and keeps rates and caps.",
      remedy: "Accounts’ gates do not answer. See the state of Durable Objects, and the service’s log.",
    },
    encryption: {
      name: "Encryption",
      about: "Seals the credentials of carriers and integrations.",
      remedy: "Secrets cannot be sealed or opened. Check ENCRYPTION_KEYS.",
    },
    signing: {
      name: "Signing",
      about: "Signs sessions and links.",
      remedy: "Nobody can be signed in. Check SIGNING_KEYS.",
    },
    runtime: {
      name: "Media runtime",
      about: "Where calls are connected to.",
      remedy: "Calls cannot be connected. Check PUBLIC_URL and VOICE_RUNTIME_URL.",
    },
  },
  noAddress: "The service does not know its own address, so calls cannot be connected. Set PUBLIC_URL.",
  rekey: {
    title: "Re-encryption of secrets",
    what: "Credentials of carriers and secrets of integrations are sealed under the first of ENCRYPTION_KEYS. After a new key was put in front, seal everything anew; then the old key can go. While it runs, everything works as always.",
    run: "Re-encrypt secrets",
    running: "Re-encrypting …",
    progress: (done: number, total: number) =>
      `${formatNumber(done)} of ${counted(total, "secret", "secrets")} sealed anew`,
    leave: "If you leave this page it stops where it is; run it again to go on from there.",
    nothing: "Every secret is sealed under the current key. There is nothing to do.",
    done: (count: number) => `${counted(count, "secret is", "secrets are")} sealed anew.`,
    canGo: "The older keys can be taken out of ENCRYPTION_KEYS.",
    failed: (count: number) =>
      `${counted(count, "secret", "secrets")} could not be opened by any key that is configured and stayed as they were. Keep the older keys: put the one they were sealed with back into ENCRYPTION_KEYS and run this again, or have those accounts enter their credentials anew.`,
    stuck: (left: number) =>
      `It does not get on: ${counted(left, "secret is", "secrets are")} still to do. Keep the older keys and try again later.`,
  },
};
