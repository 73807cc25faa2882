import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { answerOf, type Order, type Outcome } from "./order.ts";

/** A runtime that sends requests. */
export interface Runtime {
  send(order: Order): Promise<Outcome>;
  stop(): Promise<void>;
}

/** Returns this process as a runtime. */
async function node(): Promise<Runtime> {
  return {
    send: (order) => answerOf(order, fetch),
    stop: async () => {},
  };
}

/** Returns the Workers runtime, with its own sockets and decompression, as in a deployment. */
async function workerd(): Promise<Runtime> {
  const entryPoints = [join(import.meta.dirname, "worker.ts")];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", write: false });
  const options = {
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: "2026-10-20",
    cf: false,
    telemetry: { enabled: false },
    handleStructuredLogs: () => {},
  };
  const runtime = new Miniflare(convertV4MiniflareOptions(options as Parameters<typeof convertV4MiniflareOptions>[0]));
  await runtime.ready;
  return {
    async send(order) {
      const body = JSON.stringify(order);
      const response = await runtime.dispatchFetch("http://worker/", { method: "POST", body });
      return (await response.json()) as Outcome;
    },
    stop: () => runtime.dispose(),
  };
}

/** The runtimes that send requests, each with its own network stack. */
export const RUNTIMES = { node, workerd };
