import { registerHooks } from "node:module";
import { join } from "node:path";
import { ROOT } from "../paths.ts";

/** The runtime's own module, as far as classes of the service extend what it exports, and requests leave spans. */
const WORKERS_MODULE =
  "data:text/javascript,export class DurableObject {}" +
  "export const tracing = { enterSpan: (name, work) => work({ setAttribute() {} }) };";

/** The app, as far as it is used here; its own types are those of the Workers runtime, which Node's types contradict. */
interface App {
  request(url: string, init: RequestInit, env: object): Promise<Response>;
}

/** The OpenAPI document as the service serves it, from its contracts alone: no Worker is built or run for it. */
export async function openApiDocument(): Promise<unknown> {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "cloudflare:workers" ? { url: WORKERS_MODULE, shortCircuit: true } : next(specifier, context),
  });
  const { app } = (await import(join(ROOT, "src/app.ts"))) as { app: App };
  const response = await app.request("http://localhost/openapi.json", {}, { ALLOWED_HOSTS: "", REQUEST_LINES: "off" });
  if (!response.ok) throw new Error(`/openapi.json answers ${response.status}`);
  return response.json();
}
