/**
 * `npm run ways -- [agents-kept] [agents-missed] [upload] [call] [campaign] [words] [publish] [erasure]` counts, for
 * each of these (all by default), how many functions of `src` the service enters until it is idle again, how often the
 * next function is in another file (a visit) and in another folder (a switch), and how many files there are. `--files
 * <way>` prints the files of one of them in the order of their first visits.
 */
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { leaveNoOrphans } from "../../../src/dev/orphans.ts";
import { type Service, startService } from "../service.ts";
import { instrument } from "./instrument.ts";
import { JOURNEYS, type Journey } from "./journeys.ts";

/** The service counts as idle once no function has been entered for this long, ms. */
const REST_MS = 2_000;
const LOOK_MS = 100;
/** Carriers answer and hang up immediately. */
const VARIABLES = { SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "1" };
/** The first round is not counted. */
const ROUNDS = [0, 1];

async function ask<T>({ base }: Service, method: "GET" | "POST"): Promise<T> {
  return (await (await fetch(`${base}/bench/visits`, { method })).json()) as T;
}

/** Resolves when the service is idle. */
async function resting(service: Service): Promise<void> {
  let [visits, since] = [-1, performance.now()];
  while (performance.now() - since < REST_MS) {
    const now = await ask<number>(service, "GET");
    if (now !== visits) [visits, since] = [now, performance.now()];
    await sleep(LOOK_MS);
  }
}

/** Counts how often the name changes. */
const changes = (names: string[]) => names.filter((name, at) => at > 0 && name !== names[at - 1]).length;

/** Returns the files of the functions that a journey enters, in order, as indexes. */
async function visitsOf(service: Service, journey: Journey): Promise<number[]> {
  let visits: number[] = [];
  for (const round of ROUNDS) {
    const act = await journey(service, round);
    await resting(service);
    await ask(service, "POST");
    await act();
    await resting(service);
    visits = await ask<number[]>(service, "POST");
  }
  return visits;
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { files: { type: "string" } } });
const names = values.files === undefined ? positionals : [values.files];
const unknown = names.filter((name) => !Object.hasOwn(JOURNEYS, name));
if (unknown.length > 0) {
  console.error(`no such way: ${unknown.join(", ")}; there are ${Object.keys(JOURNEYS).join(", ")}`);
  process.exit(1);
}

leaveNoOrphans();
let files: string[] = [];
const service = await startService(VARIABLES, {
  main: join(import.meta.dirname, "../yardstick/visited.ts"),
  inspected: false,
  rewrite: async (script) => {
    files = await instrument(script);
  },
});
try {
  if (values.files === undefined) console.log("way            entries  visits  switches  files");
  for (const [name, journey] of Object.entries(JOURNEYS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const visited = (await visitsOf(service, journey)).map((index) => files[index] ?? "");
    const distinct = [...new Set(visited)];
    if (values.files !== undefined) console.log(distinct.join("\n"));
    else {
      const visits = changes(visited);
      const switches = changes(visited.map((file) => dirname(file)));
      const figures = [
        `${visited.length}`.padStart(7),
        `${visits}`.padStart(6),
        `${switches}`.padStart(8),
        `${distinct.length}`.padStart(5),
      ];
      console.log(`${name.padEnd(13)}  ${figures.join("  ")}`);
    }
  }
} finally {
  await service.stop();
}
process.exit(0);
