import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundleWorker, DEV_WORKER } from "../../../src/dev/bundle.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The main module of the Worker, built. */
    worker: string;
  }
}

/** Builds the Worker once for all services that tests start, each of which would else build it again at every start. */
export default async function setup(project: TestProject): Promise<void> {
  const outdir = join(import.meta.dirname, "../../../dist/tested");
  project.provide("worker", await bundleWorker({ main: DEV_WORKER, outdir }));
}
