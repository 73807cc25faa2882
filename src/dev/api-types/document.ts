import { registerHooks } from "node:module";
import { join } from "node:path";
import { ROOT } from "../paths.ts";

/** A stand-in for the `cloudflare:workers` module, with the exports that the service extends or calls. */
const WORKERS_MODULE =
  "data:text/javascript,export class DurableObject {}" +
  "export const tracing = { getActiveSpan: () => ({ isTraced: false }) };";

/** The used part of the app. Its own types are those of the Workers runtime, which conflict with Node's. */
interface App {
  request(url: string, init: RequestInit, env: object): Promise<Response>;
}

/** Lets this process import the Worker's modules. */
export function standInForRuntime(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "cloudflare:workers" ? { url: WORKERS_MODULE, shortCircuit: true } : next(specifier, context),
  });
}

/** Returns the OpenAPI document that the service serves, without building or running a Worker. */
export async function openApiDocument(): Promise<unknown> {
  standInForRuntime();
  const { app } = (await import(join(ROOT, "src/app.ts"))) as { app: App };
  const response = await app.request("http://localhost/openapi.json", {}, { ALLOWED_HOSTS: "", REQUEST_LINES: "off" });
  if (!response.ok) throw new Error(`/openapi.json answers ${response.status}`);
  return response.json();
}
