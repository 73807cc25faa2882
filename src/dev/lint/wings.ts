/**
 * Declares which part of `src` may import which, and fails on any other import and on import cycles. Each folder named
 * here lists the siblings that its children may import; a folder that is not named is one part.
 */
import { glob, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../paths.ts";

type Rules = Record<string, string[]>;

const KERNEL = ["kernel"];
const RECORDS = [...KERNEL, "records"];
const AGENT = [...RECORDS, "agent"];
const PHONE = [...AGENT, "phone"];
const ACCOUNT = [...PHONE, "account"];
const CONSOLE = ["texts", "api", "ui", "session", "shell"];

const RULES: Record<string, Rules> = {
  "": {
    kernel: [],
    lists: KERNEL,
    records: KERNEL,
    agent: RECORDS,
    phone: AGENT,
    account: PHONE,
    conversation: ACCOUNT,
    campaign: [...ACCOUNT, "lists"],
    "account-data": [...ACCOUNT, "conversation", "campaign"],
    browser: [
      "lists",
      // The console shows the built-in sentences beside an agent's own.
      "agent/speech",
      "kernel/numbers",
      "kernel/rendering",
      "kernel/scopes.ts",
      "kernel/time.ts",
      "kernel/zones",
      "../packages/sdk",
    ],
    // MCP calls the service as its clients do. Of the wings, it uses only confirmations and the fields of the contract.
    mcp: [
      "kernel",
      "account/confirmations",
      "agent/agents/contract.ts",
      "campaign/campaign-record.ts",
      "records/conversations/conversation-schema.ts",
    ],
  },
  records: {
    prices: [],
    analysis: ["prices"],
    // Events of calls use the ledger's names of statuses and reasons.
    events: ["analysis", "ledger/call-status.ts", "ledger/end-reason.ts"],
    webhooks: ["events"],
    ledger: ["prices", "analysis", "events"],
    usage: ["ledger"],
    conversations: ["prices", "analysis", "ledger"],
    privacy: ["conversations"],
  },
  phone: {
    carriers: [],
    effect: ["carriers"],
    voices: ["carriers", "effect"],
    "call-limits": [],
    "call-settings": [],
    "do-not-call": [],
    telephony: ["carriers", "effect"],
    calls: ["carriers", "call-limits", "call-settings", "do-not-call", "telephony"],
    inbound: ["carriers", "call-limits", "call-settings", "telephony", "calls"],
    recordings: ["carriers", "telephony", "calls"],
  },
  account: {
    plan: [],
    "sign-in-policy": [],
    visitors: [],
    mail: [],
    privacy: [],
    health: [],
    metrics: [],
    "audit-log": [],
    "api-keys": [],
    quotas: ["plan"],
    "in-service": ["visitors"],
    gate: ["plan", "sign-in-policy"],
    meter: ["plan", "visitors", "gate"],
    budgets: ["meter"],
    confirmations: ["gate"],
    attempts: ["gate"],
    "second-factor": ["attempts"],
    auth: ["gate", "attempts", "second-factor"],
    members: ["mail", "auth"],
    memberships: ["gate", "auth"],
    invitations: ["mail", "attempts", "auth", "members"],
    operators: ["plan", "auth"],
    "own-account": ["operators"],
  },
  "account-data": { erasures: [], deletion: [], backup: ["erasures"] },
  conversation: {
    "agent-sessions": [],
    widget: ["agent-sessions"],
    runtime: ["agent-sessions", "widget"],
    "test-runs": ["runtime"],
  },
  campaign: {
    decide: [],
    store: ["decide"],
    dial: ["decide", "store"],
    import: ["decide", "store"],
    plan: ["decide", "store"],
    streams: ["decide", "store"],
    outbox: ["decide", "store"],
    repair: ["decide", "store", "import"],
    object: ["decide", "store", "dial", "import", "outbox", "plan", "repair", "streams"],
  },
  // These are built separately; the console's preview is the widget itself.
  browser: { console: ["widget"], widget: [], docs: [] },
  "browser/console": Object.fromEntries([...CONSOLE, "screens"].map((part, below, all) => [part, all.slice(0, below)])),
  // Code shared by several folders of screens belongs below them.
  "browser/console/screens": {},
};

const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*"(\.[^"?]+)/g;

/** Returns the forbidden import between the two parts below their common folder; null if it is allowed. */
function forbidden(from: string, to: string): string | null {
  const [a, b] = [from.split("/"), to.split("/")];
  const depth = a.findIndex((name, at) => name !== b[at]);
  const rules = RULES[a.slice(0, depth).join("/")];
  const [part, other] = [a[depth] ?? "", b.slice(depth).join("/")];
  // All parts may import a file beside them, because it belongs to the folder. The exceptions are the entry points in
  // `src`.
  if (!rules || depth === a.length - 1 || (depth === b.length - 1 && depth > 0)) return null;
  const allowed = rules[part] ?? (part === "dev" ? [""] : []);
  return allowed.some((one) => one === "" || one === other || other.startsWith(`${one}/`))
    ? null
    : `${part} may not import ${other}`;
}

/**
 * Returns the first import cycle reached from a file; null if there is none. `straight` contains files known to reach
 * none.
 */
function circleFrom(file: string, way: string[], straight: Set<string>): string[] | null {
  if (straight.has(file)) return null;
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  for (const next of imports.get(file) ?? []) {
    const circle = circleFrom(next, [...way, file], straight);
    if (circle) return circle;
  }
  straight.add(file);
  return null;
}

const imports = new Map<string, string[]>();
for await (const file of glob("**/*.{ts,tsx}", { cwd: join(ROOT, "src") })) {
  const text = await readFile(join(ROOT, "src", file), "utf8");
  const targets = [...text.matchAll(IMPORT)].map(([, target = ""]) => relative(".", join(dirname(file), target)));
  imports.set(file, targets);
}

const failures: string[] = [];
for (const [file, targets] of imports) {
  for (const target of targets) {
    const way = forbidden(file, target);
    if (way !== null) failures.push(`src/${file}: ${way}`);
  }
}
const straight = new Set<string>();
for (const file of imports.keys()) {
  const circle = circleFrom(file, [], straight);
  if (circle === null) continue;
  // Only the first cycle is reported, because most files lead into the same one.
  failures.push(`in a circle: ${circle.join(" > ")}`);
  break;
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
