import type { TestProject } from "vitest/node";
import { startWorker } from "../../process/support/worker.ts";

/** One service for all tests of the console, each of which mints an account of its own. */
export default async function (project: TestProject) {
  const worker = await startWorker({});
  project.provide("service", { origin: worker.origin, operator: await worker.signIn("service-admin") });
  return () => worker.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    service: { origin: string; operator: Record<string, string> };
  }
}
