import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

/** Starts a Worker of the yardstick folder with only these bindings, in its own runtime. */
export async function startBareWorker(
  file: string,
  bindings: Record<string, unknown>,
): Promise<{ base: string; stop(): Promise<void> }> {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-bare-"));
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "yardstick", file)],
    write: false,
    bundle: true,
    format: "esm",
    external: ["cloudflare:workers", "stream"],
  });
  const worker = {
    name: "bare",
    compatibilityDate: "2026-10-20",
    modules: [{ type: "ESModule", path: "bare.js", contents: outputFiles[0]?.text ?? "" }],
    ...bindings,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      resourcePersistencePath: stateDir,
      workers: [worker],
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  );
  await runtime.ready;
  return {
    base: (await runtime.unsafeGetDirectURL()).origin,
    async stop() {
      await runtime.dispose();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
