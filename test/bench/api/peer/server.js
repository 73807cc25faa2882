/**
 * The same requests as the service answers them, on Fastify and better-sqlite3: on a copy of its database, with the
 * same checks, the same joins, the same JSON and the same headers. Started by the bench, which hands it a file with the
 * place of the database, the signing keys and what the answers look like.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { ApiError, admission } from "./admission.js";
import { openDatabase } from "./database.js";
import { sessions } from "./sessions.js";

const { database, signingKeys, schemas } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const db = openDatabase(database);
const { byToken } = admission(db, signingKeys);
const { beginGuestSession, widgetConfig } = sessions(db, signingKeys);

const app = Fastify({ logger: false });
app.addHook("onRequest", async (request, reply) => {
  request.requestId = randomUUID();
  reply.headers({
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "x-request-id": request.requestId,
  });
});
app.setErrorHandler((error, _request, reply) => {
  const refused = error instanceof ApiError ? error : new ApiError(error.statusCode ?? 500, "internal", error.message);
  reply.code(refused.status).header("x-error-code", refused.code).type("application/json");
  return reply.serializer((text) => text).send(JSON.stringify(refused.message));
});
app.setNotFoundHandler(() => {
  throw new ApiError(404, "not_found", "resource not found");
});

const answers = (operation, status = 200) => ({ response: { [status]: schemas[operation] } });
const text = (maxLength) => ({ type: "string", maxLength });

app.get("/api/v1/agents", { schema: answers("listAgents"), onRequest: byToken }, (request) =>
  db.joinedAgents(request.account),
);

app.get("/api/v1/agents/:id", { schema: answers("getAgent"), onRequest: byToken }, (request) => {
  const agent = db.joinedAgent(request.account, request.params.id);
  if (!agent) throw new ApiError(404, "not_found", "agent not found");
  return agent;
});

const newAgent = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200 },
    description: { ...text(2000), default: "" },
    category: { enum: ["customer_support", "sales", "operations", "custom"], default: "custom" },
    status: { enum: ["draft", "active", "archived"], default: "draft" },
    llm_model: { enum: ["gpt-4o", "gpt-4o-mini", "claude-3-5-sonnet"], default: "gpt-4o" },
    voice_provider: { enum: ["cartesia", "elevenlabs", "deepgram"], default: "cartesia" },
    voice_id: { ...text(200), default: "" },
    system_prompt: { ...text(100_000), default: "" },
    greeting_message: { ...text(5000), default: "" },
    greeting_mode: { enum: ["interruptible", "locked"], default: "interruptible" },
    auth_mode: { enum: ["public", "authenticated"], default: "authenticated" },
    background_audio_enabled: { type: "boolean", default: false },
    background_audio_volume: { type: "number", minimum: 0, maximum: 1, default: 0.5 },
    noise_suppression_enabled: { type: "boolean", default: true },
    ringing_enabled: { type: "boolean", default: false },
    template_id: { type: ["string", "null"], maxLength: 200, default: null },
  },
};
const creates = { body: newAgent, ...answers("createAgent", 201) };
app.post("/api/v1/agents", { schema: creates, onRequest: byToken }, (request, reply) => {
  reply.code(201);
  return db.createAgent(request, request.body);
});

const page = {
  limit: { type: "integer", minimum: 1, maximum: 100, default: 10 },
  offset: { type: "integer", minimum: 0, default: 0 },
};
const searched = { querystring: { type: "object", properties: { search: text(200), ...page } } };
app.get("/api/v1/tools", { schema: { ...searched, ...answers("listTools") }, onRequest: byToken }, (request) =>
  db.searchTools(request.account, request.query),
);

const paged = { querystring: { type: "object", properties: page } };
app.get("/api/v1/audit-log", { schema: { ...paged, ...answers("listAuditEntries") }, onRequest: byToken }, (request) =>
  db.auditLog(request.account, request.query),
);

const e164 = { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" };
const order = {
  type: "object",
  required: ["agent_id", "from_number", "to_number"],
  properties: { agent_id: { type: "string", minLength: 1 }, from_number: e164, to_number: e164 },
};
const originates = { body: order, ...answers("originateCall") };
app.post("/api/v1/calls/originate", { schema: originates, onRequest: byToken }, (request) => {
  const refusal = db.refusalOf(request.account, request.body);
  if (refusal) throw refusal;
  return db.originate(request, request.body);
});

const client = { type: "object", required: ["client_key"], properties: { client_key: text(300) } };
const begins = { body: client, ...answers("createGuestSession") };
app.post("/api/v1/widget/auth/guest", { schema: begins }, (request, reply) => {
  const { origin } = request.headers;
  return letRead(reply, origin, beginGuestSession(request.body.client_key, origin));
});

const configures = { querystring: client, ...answers("getWidgetConfig") };
app.get("/api/v1/widget/config", { schema: configures }, (request, reply) => {
  const { origin } = request.headers;
  const { shown, age } = widgetConfig(request.query.client_key, origin);
  reply.header("cache-control", `public, max-age=${60 - age}`);
  return letRead(reply, origin, shown);
});

function letRead(reply, origin, answer) {
  reply.headers({
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "x-error-code, x-request-id, retry-after",
  });
  return answer;
}

console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
