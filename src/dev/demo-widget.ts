/**
 * `npm run demo:widget` serves a customer's page with the widget, on its own port, against the running service. Creates
 * the keys that it needs as the owner of the demo account, and removes them when it is stopped.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Switchboard } from "../../packages/sdk/src/index.ts";
import { ACME } from "./demo-data.ts";
import { BICYCLES_AGENT, BICYCLES_FAQS } from "./demo-widget-data.ts";
import { explain, shown, signIn } from "./sign-in.ts";

const SERVICE = process.env.BASE_URL || `http://127.0.0.1:${process.env.PORT || 8787}`;
const PORT = Number(process.env.DEMO_PORT || 8790);
const PAGE = `http://localhost:${PORT}`;
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript" };

/** Creates the demo's agent with its knowledge. Leaves what exists unchanged, so that you can experiment with it. */
async function prepareAgent(owner: Switchboard): Promise<string> {
  const { name, description } = BICYCLES_AGENT;
  const agents = await owner.agents.list().toArray();
  const existing = agents.find((agent) => agent.name === name && agent.description === description);
  const { id } = existing ?? (await owner.agents.create(BICYCLES_AGENT));
  const faqs = await owner.faqs.list().toArray();
  for (const faq of BICYCLES_FAQS) {
    const fields = { ...faq, category: "acme_bicycles" };
    if (!faqs.some((each) => each.name === faq.name)) await owner.faqs.create(fields);
    if (!existing) await owner.agents.attachFaq(id, { faq_id: faq.name });
  }
  return id;
}

/** Creates the keys of the page and of the backend behind it. */
async function prepare(owner: Switchboard) {
  const agent_id = await prepareAgent(owner);
  const look = {
    launcher_label: "Ask us anything",
    launcher_position: "bottom-right",
    primary_color: "#312e81",
    accent_color: "#4f46e5",
    privacy_notice: "You are chatting with an AI agent. Your messages are stored in the demo account.",
  } as const;
  await owner.request("PATCH", "/api/v1/widget-settings", { body: look });
  const widgetKey = await owner.widgetKeys.create({ name: "widget demo", agent_id, domain_allowlist: [PAGE] });
  const apiKey = await owner.apiKeys.create({ name: "widget demo", expiry: "1d" });
  return { widgetKey, apiKey };
}

/** Serves the page's files and visitor tokens, the one call that a customer's backend makes. */
function serve(clientKey: string, backend: Switchboard) {
  const policy = `default-src 'none'; script-src 'self' ${SERVICE}; style-src 'self'; connect-src 'self' ${SERVICE} ws: wss:; img-src https:; media-src blob:`;
  return createServer(async ({ url, method }, response) => {
    if (method === "POST" && url === "/visitor-token") {
      const body = { client_key: clientKey, user_id: "ada-lovelace" };
      const token = await backend.widgetKeys.visitorToken(body).catch((error) => `${error}`);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(token));
      return;
    }
    const name = url === "/" ? "index.html" : url === "/page.css" || url === "/page.js" ? url.slice(1) : undefined;
    if (!name) return response.writeHead(404).end();
    const file = await readFile(join(import.meta.dirname, "demo-page", name), "utf8");
    const type = TYPES[name.split(".")[1] as keyof typeof TYPES];
    response
      .writeHead(200, { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy })
      .end(file.replace("{{service}}", SERVICE).replace("{{client_key}}", clientKey));
  });
}

async function demo(): Promise<void> {
  const { widgetKey, apiKey } = await prepare(await signIn(SERVICE, ACME));
  const server = serve(shown(widgetKey), new Switchboard({ baseUrl: SERVICE, apiKey: shown(apiKey) }));
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    server.close();
    server.closeAllConnections();
    const owner = await signIn(SERVICE, ACME);
    await owner.widgetKeys.delete(widgetKey.id);
    await owner.apiKeys.delete(apiKey.id);
    process.exitCode = code;
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop(0).catch(fail));
  server.once("error", (error) => {
    console.error(error.message);
    void stop(1).catch(fail);
  });
  server.listen(PORT, "localhost", () => {
    console.log(`\n  The widget on a customer's page: ${PAGE}\n  Ctrl+C stops.\n`);
  });
}

function fail(error: unknown): void {
  console.error(explain(error, SERVICE));
  process.exitCode = 1;
}

await demo().catch(fail);
