import { startBareWorker } from "./bare-worker.ts";

/** The yardstick's Worker, in a runtime of its own. */
export async function startBareImport(): Promise<{ run(file: Blob): Promise<void>; stop(): Promise<void> }> {
  const { base, stop } = await startBareWorker("import.ts", {
    durableObjects: { BARE_IMPORT: { className: "BareImport", useSQLite: true } },
  });
  return {
    async run(file) {
      const answer = await fetch(base, { method: "POST", body: file });
      if (!answer.ok) throw new Error(`the yardstick: ${answer.status} ${await answer.text()}`);
      await answer.text();
    },
    stop,
  };
}
