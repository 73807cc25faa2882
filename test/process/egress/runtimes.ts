import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { answerOf, type Order, type Outcome } from "./order.ts";

/** A runtime to ask from. */
export interface Runtime {
  send(order: Order): Promise<Outcome>;
  stop(): Promise<void>;
}

/** This process. */
async function node(): Promise<Runtime> {
  return {
    send: (order) => answerOf(order, fetch),
    stop: async () => {},
  };
}

/** The runtime of Workers, as it is deployed to: its own sockets and its own decompression. */
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
