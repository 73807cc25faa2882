import { afterAll, expect, it } from "vitest";
import { Service } from "./service.ts";

const services: Service[] = [];

afterAll(async () => {
  for (const service of services) await service.remove();
}, 60_000);

/** Checks whether a service responds on a new connection. */
async function answers({ url }: Service): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`, { headers: { connection: "close" } }).catch(() => null);
  return answer?.status === 200;
}

it("the test service of campaigns kills its own process, even if another one is started at the same time", async () => {
  services.push(await Service.prepare({}), await Service.prepare({}));
  await Promise.all(services.map((service) => service.start()));
  const pids = new Set(services.map(({ pid }) => pid));
  expect(pids.size).toBe(services.length);
  const [first, ...others] = services;
  first?.kill();
  await first?.gone();
  for (const other of others) expect(await answers(other)).toBe(true);
  if (first) expect(await answers(first)).toBe(false);
}, 240_000);
