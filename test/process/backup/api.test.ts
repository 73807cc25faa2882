import { expect, it } from "vitest";
import { OperatorApi } from "../../../src/dev/backup/api.ts";

/** Returns the pauses of the client before a service with these answers finally answers 200. */
async function pausesOf(answers: { status: number; headers?: Record<string, string> }[]): Promise<number[]> {
  const pauses: number[] = [];
  const send = () => {
    const { status, headers = {} } = answers.shift() ?? { status: 200 };
    return Promise.resolve(new Response("{}", { status, headers }));
  };
  const pause = (ms: number) => Promise.resolve(pauses.push(ms));
  await new OperatorApi("https://x.example", send, () => Promise.resolve({}), pause).json("GET", "/");
  return pauses;
}

it("the client waits as long as a rate-limited service says, up to a limit", async () => {
  const limited = (seconds: string) => ({ status: 429, headers: { "retry-after": seconds } });
  expect(await pausesOf([limited("42"), limited("86400"), limited("soon")])).toEqual([42_000, 90_000, 4_000]);
});

it("the client waits longer each time if the service names no time, and then gives up", async () => {
  expect(await pausesOf([{ status: 503 }, { status: 500 }])).toEqual([1_000, 2_000]);
  await expect(pausesOf(Array(6).fill({ status: 503 }))).rejects.toThrow(/503/);
  await expect(pausesOf([{ status: 404 }])).rejects.toThrow(/404/);
});
