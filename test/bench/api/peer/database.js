import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import { ApiError } from "./admission.js";

const BOOLEANS = [
  "background_audio_enabled",
  "noise_suppression_enabled",
  "ringing_enabled",
  "is_default",
  "modified_from_default",
  "enabled",
  "ready",
  "recorded",
];
const JSONS = ["tool_names", "tags", "implementation_config", "schema", "domain_allowlist"];
/** No cap gets in the way, as in the bench's account. */
const CAP = 1_000_000;

/** Turns what SQLite knows as numbers and texts into what they stand for. */
function shown(row) {
  for (const name of BOOLEANS) if (name in row) row[name] = row[name] === 1;
  for (const name of JSONS) if (name in row) row[name] = JSON.parse(row[name]);
  return row;
}

/** The service's own tables, and every statement prepared once. */
export function openDatabase(file) {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.pragma("foreign_keys = ON");
  db.exec("CREATE TABLE leases (account TEXT, call_id TEXT, expires_at INTEGER, PRIMARY KEY (account, call_id))");
  db.exec("CREATE TABLE sandbox_calls (call_id TEXT PRIMARY KEY, to_number TEXT, placed_at INTEGER)");
  const sql = (text) => db.prepare(text);
  const placeholders = (columns) => columns.map((name) => `@${name}`).join(", ");
  const insert = (table, columns) =>
    sql(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders(columns)})`);

  const joined = (table, links, column, one) =>
    sql(
      `SELECT l.agent_id AS _agent, t.* FROM ${links} l JOIN ${table} t ON t.account = l.account AND t.id = l.${column}
       WHERE l.account = ? ${one ? "AND l.agent_id = ?" : ""} ORDER BY l.agent_id, l.created_at, l.${column}`,
    );
  const of = (one) => ({
    agents: sql(`SELECT * FROM agents WHERE account = ? ${one ? "AND id = ?" : "ORDER BY created_at DESC, id DESC"}`),
    faqs: joined("faqs", "agent_faqs", "faq_id", one),
    playbooks: joined("playbooks", "agent_playbooks", "playbook_id", one),
    // None of the bench's tools needs an integration.
    tools: sql(
      `SELECT l.agent_id AS _agent, l.tool_name, l.enabled, t.display_name, 1 AS ready, NULL AS reason
       FROM agent_tools l JOIN tools t ON t.account = l.account AND t.name = l.tool_name
       WHERE l.account = ? ${one ? "AND l.agent_id = ?" : ""} ORDER BY l.agent_id, l.tool_name`,
    ),
  });
  const [allAgents, oneAgent] = [of(false), of(true)];
  const grouped = (rows) => Map.groupBy(rows.map(shown), ({ _agent }) => _agent);
  const read = ({ agents, faqs, playbooks, tools }, ...which) => {
    const [faqsOf, playbooksOf, toolsOf] = [faqs, playbooks, tools].map((rows) => grouped(rows.all(...which)));
    return agents.all(...which).map((row) => {
      const agent = shown(row);
      agent.faqs = faqsOf.get(row.id) ?? [];
      agent.playbooks = playbooksOf.get(row.id) ?? [];
      agent.tools = toolsOf.get(row.id) ?? [];
      return agent;
    });
  };

  const found =
    "(instr(lower(name), lower(@search)) > 0 OR instr(lower(display_name), lower(@search)) > 0 OR instr(lower(description), lower(@search)) > 0)";
  const tools = sql(
    `SELECT * FROM tools WHERE account = @account AND ${found} ORDER BY name LIMIT @limit OFFSET @offset`,
  );
  const toolCounts = sql(
    `SELECT category, count(*) AS n FROM tools WHERE account = @account AND ${found} GROUP BY category ORDER BY category`,
  );
  const entries = sql("SELECT * FROM audit_log WHERE account = ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?");
  const entryCount = sql("SELECT count(*) AS n FROM audit_log WHERE account = ?");
  const key = sql(
    `SELECT k.* FROM api_keys k JOIN accounts a ON a.name = k.account AND a.disabled_at IS NULL
     WHERE k.account = ? AND k.hash = ?`,
  );
  const user = sql(
    `SELECT 1 FROM users u JOIN accounts a ON a.name = u.account AND a.disabled_at IS NULL
     WHERE u.account = ? AND u.id = ?`,
  );
  const widgetKey = sql("SELECT * FROM widget_keys WHERE account = ? AND hash = ?");
  const widgetSettings = sql("SELECT * FROM widget_settings WHERE account = ?");
  const agentWidget = sql("SELECT * FROM agent_widget_settings WHERE account = ? AND agent_id = ?");
  const columnsOf = (table) => db.pragma(`table_info(${table})`).map(({ name }) => name);
  const addAgent = insert("agents", columnsOf("agents"));
  const addPrompt = insert("agent_prompts", columnsOf("agent_prompts"));
  const addEntry = insert("audit_log", columnsOf("audit_log"));
  const addCall = sql(
    `INSERT INTO calls (account, id, direction, status, agent_id, from_number, to_number, provider, created_at, started_at, recorded, metadata, variables, own_metadata)
     VALUES (@account, @call_id, 'outbound', 'queued', @agent_id, @from_number, @to_number, @provider, @created_at, @created_at, 1, '{}', '{}', '{}')`,
  );
  const number = sql("SELECT * FROM phone_numbers WHERE account = ? AND e164 = ?");
  const blocked = sql("SELECT 1 FROM do_not_call WHERE account = ? AND phone_number = ?");
  const leases = sql("SELECT count(*) AS n FROM leases WHERE account = ? AND expires_at > ?");
  const addLease = sql("INSERT INTO leases VALUES (?, ?, ?)");
  const placed = sql("UPDATE calls SET status = 'initiated', provider_call_id = id WHERE account = ? AND id = ?");
  const addSandboxCall = sql("INSERT INTO sandbox_calls VALUES (?, ?, ?)");

  const note = ({ account, actor, requestId }, action, resource, resource_id) =>
    addEntry.run({
      account,
      id: randomUUID(),
      at: new Date().toISOString(),
      actor,
      action,
      resource,
      resource_id,
      request_id: requestId,
      changes: null,
      about_account: null,
    });
  const saveAgent = db.transaction((request, agent, prompt) => {
    addAgent.run(agent);
    addPrompt.run(prompt);
    note(request, "create", "agent", agent.id);
  });
  const lease = db.transaction((account, id, now) => {
    if (leases.get(account, now).n >= CAP) throw new ApiError(429, "concurrent_calls_cap", "concurrent calls cap");
    addLease.run(account, id, now + 75_000);
  });
  const saveCall = db.transaction((request, call) => {
    addCall.run(call);
    note(request, "originate", "call", call.call_id);
    if (blocked.get(call.account, call.to_number)) throw new ApiError(400, "do_not_call", "do not call");
  });

  return {
    useKey: (account, hash) => key.get(account, hash),
    isUser: (account, id) => user.get(account, id) !== undefined,
    joinedAgents: (account) => read(allAgents, account),
    joinedAgent: (account, id) => read(oneAgent, account, id)[0],
    widget: (account, hash) => {
      const found = widgetKey.get(account, hash);
      if (!found) return null;
      const [agent] = oneAgent.agents.all(account, found.agent_id);
      const policy = agentWidget.get(account, found.agent_id) ?? { auth_mode: "both", widget_enabled: 1 };
      return { key: shown(found), agent, policy, settings: widgetSettings.get(account) };
    },
    createAgent(request, fields) {
      const [id, active_prompt_id] = [randomUUID(), randomUUID()];
      const created_at = new Date().toISOString();
      const { account, subject: created_by } = request;
      const agent = { ...fields, account, id, active_prompt_id, created_by, created_at, updated_at: created_at };
      const { system_prompt } = fields;
      const prompt = { account, id: active_prompt_id, agent_id: id, version: 1, system_prompt, created_by, created_at };
      const stored = { ...agent };
      for (const name of BOOLEANS) if (name in stored) stored[name] = stored[name] ? 1 : 0;
      saveAgent(request, stored, prompt);
      return { ...agent, faqs: [], playbooks: [], tools: [] };
    },
    searchTools(account, { search = "", limit, offset }) {
      const rows = tools.all({ account, search, limit, offset }).map(shown);
      const categories = Object.fromEntries(
        toolCounts.all({ account, search }).map(({ category, n }) => [category, n]),
      );
      const total = Object.values(categories).reduce((sum, n) => sum + n, 0);
      return { tools: rows, total, limit, offset, categories };
    },
    auditLog: (account, { limit, offset }) => ({
      entries: entries.all(account, limit, offset),
      total: entryCount.get(account).n,
      limit,
      offset,
    }),
    /** Why the call may not be made, null where it may. */
    refusalOf(account, { agent_id, from_number, to_number }) {
      if (!number.get(account, from_number)) return new ApiError(404, "not_found", "phone number not found");
      if (oneAgent.agents.all(account, agent_id).length === 0) return new ApiError(404, "not_found", "agent not found");
      return blocked.get(account, to_number) ? new ApiError(400, "do_not_call", "on the do-not-call list") : null;
    },
    /** Leases, puts on record, has the sandbox place it and puts that on record: each durable before the next. */
    originate(request, { agent_id, from_number, to_number }) {
      const now = Date.now();
      const { account } = request;
      const call_id = randomUUID();
      const created_at = new Date(now).toISOString();
      const call = { account, call_id, agent_id, from_number, to_number, provider: "sandbox", created_at };
      lease(account, call_id, now);
      saveCall(request, call);
      addSandboxCall.run(call_id, to_number, now);
      placed.run(account, call_id);
      return { ...call, status: "initiated", provider_call_id: call_id, recorded: true, variables: {}, metadata: {} };
    },
  };
}
