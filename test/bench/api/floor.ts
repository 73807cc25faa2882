import { startBareWorker } from "../bare-worker.ts";
import type { Plan } from "../yardstick/trips.ts";
import { answerTo, type Row } from "./rows.ts";

/**
 * Starts the yardstick's Worker. It makes each row's round trips and returns the service's own answer as ready bytes.
 */
export async function startFloor(service: string, rows: Row[]): Promise<{ base: string; stop(): Promise<void> }> {
  const floor = await startBareWorker("api.ts", {
    d1Databases: ["DB"],
    durableObjects: { BARE_GATE: { className: "BareGate", useSQLite: true } },
  });
  const plans: Record<string, Plan> = {};
  for (const [n, { load, floor: trips }] of rows.entries()) {
    plans[n] = { trips, status: load.status, answer: await (await answerTo(service, load)).text() };
  }
  const answer = await fetch(floor.base, { method: "PUT", body: JSON.stringify(plans) });
  if (!answer.ok) throw new Error(`the yardstick: ${answer.status} ${await answer.text()}`);
  return floor;
}
