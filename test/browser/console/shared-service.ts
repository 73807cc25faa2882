import type { TestProject } from "vitest/node";
import buildWorker from "../../process/support/build-worker.ts";
import { startScript } from "../../process/support/worker.ts";

/** Starts one service for all console tests. Each test mints its own account. */
export default async function (project: TestProject) {
  await buildWorker(project);
  const worker = await startScript(project.getProvidedContext().deployedWorker, {});
  project.provide("service", { origin: worker.origin, operator: await worker.signIn("service-admin") });
  return () => worker.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    service: { origin: string; operator: Record<string, string> };
  }
}
