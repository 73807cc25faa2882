import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../src/dev/client.ts";
import { millisecondsOf } from "./figures.ts";

/** Between two requests of somebody else's, ms. */
const APART_MS = 10;

/** Asks again and again until it is ended; gives how long each answer took, ms. */
export function waits(client: Pick<ApiClient, "get">, path: string): { end(): Promise<number[]> } {
  let ended = false;
  const times: number[] = [];
  const asking = (async () => {
    while (!ended) {
      times.push(await millisecondsOf(() => client.get(path)));
      await sleep(APART_MS);
    }
    return times;
  })();
  return {
    end() {
      ended = true;
      return asking;
    },
  };
}
