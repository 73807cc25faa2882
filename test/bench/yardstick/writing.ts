/** Runs the service, which on request also writes to an account's meter or gate. */
import service from "../../../src/index.ts";

export * from "../../../src/index.ts";

const TICK_MS = 10;
const PATH = "/bench/writes";

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== PATH) return service.fetch(request, env, context);
    const [account, to] = [searchParams.get("account") ?? "", searchParams.get("to")];
    const write = to === "meter" ? renewing(env, account) : ending(env, account);
    const [perSecond, ms] = [Number(searchParams.get("per_second")), Number(searchParams.get("ms"))];
    return Response.json({ written: await keepWriting(write, perSecond, ms) });
  },
} satisfies ExportedHandler<Env>;

/** Writes at a fixed rate and catches up after late ticks. Returns the number of writes. */
async function keepWriting(write: (n: number) => Promise<unknown>, perSecond: number, ms: number): Promise<number> {
  const underWay: Promise<unknown>[] = [];
  const began = Date.now();
  for (let passed = 0; passed < ms; ) {
    await scheduler.wait(TICK_MS);
    passed = Math.min(ms, Date.now() - began);
    while (underWay.length < (passed * perSecond) / 1_000) underWay.push(write(underWay.length));
  }
  return (await Promise.all(underWay)).length;
}

/** Creates a function that renews the lease of one call, as a campaign does. */
function renewing({ ACCOUNT_METER }: Env, account: string) {
  const meter = ACCOUNT_METER.getByName(account);
  const [campaign, ttl] = ["bench", 60_000];
  const call = (n: number) => `call-${n % 300}`;
  return (n: number) =>
    meter.exchange({
      campaign,
      agent_id: null,
      free: [],
      took_ms: {},
      refund: [],
      renew: { calls: [call(n)], ttl },
      leased: null,
      take: n < 300 ? [call(n)] : [],
      ttl,
    });
}

/** Creates a function that writes to the gate by ending a session. */
function ending({ ACCOUNT_GATE }: Env, account: string) {
  const gate = ACCOUNT_GATE.getByName(account);
  return (n: number) => gate.endSession(`session-${n % 300}`, Date.now() + 60_000);
}
