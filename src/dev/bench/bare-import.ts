import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

/** The yardstick's Worker, in a runtime of its own. */
export async function startBareImport(): Promise<{ run(file: Blob): Promise<void>; stop(): Promise<void> }> {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-bare-"));
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "yardstick/worker.ts")],
    write: false,
    bundle: true,
    format: "esm",
    external: ["cloudflare:workers", "stream"],
  });
  const worker = {
    name: "bare-import",
    compatibilityDate: "2026-10-20",
    modules: [{ type: "ESModule", path: "bare-import.js", contents: outputFiles[0]?.text ?? "" }],
    durableObjects: { BARE_IMPORT: { className: "BareImport", useSQLite: true } },
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
  const url = await runtime.unsafeGetDirectURL();
  return {
    async run(file) {
      const answer = await fetch(url, { method: "POST", body: file });
      if (!answer.ok) throw new Error(`the yardstick: ${answer.status} ${await answer.text()}`);
      await answer.text();
    },
    async stop() {
      await runtime.dispose();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
