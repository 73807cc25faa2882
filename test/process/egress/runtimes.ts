import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import {
  EgressRefused,
  fetchOut,
  type OutAnswer,
  type OutLimits,
  type OutRequest,
} from "../../../src/kernel/egress/fetch-out.ts";

type Limits = Omit<OutLimits, "fetch">;
/** How a request fared. */
export type Outcome = { answer: OutAnswer } | { refused: string };

/** A runtime to ask from. */
export interface Runtime {
  send(request: OutRequest, limits: Limits): Promise<Outcome>;
  stop(): Promise<void>;
}

/** This process. */
async function node(): Promise<Runtime> {
  return {
    send: (request, limits) =>
      fetchOut(request, { ...limits, fetch }).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ refused: error instanceof EgressRefused ? error.message : `unexpected: ${error}` }),
      ),
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
    async send(request, limits) {
      const body = JSON.stringify({ request, limits });
      const response = await runtime.dispatchFetch("http://worker/", { method: "POST", body });
      return (await response.json()) as Outcome;
    },
    stop: () => runtime.dispose(),
  };
}

/** Where requests are made from, each with its own network stack. */
export const RUNTIMES = { node, workerd };
