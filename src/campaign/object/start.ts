import { conflict } from "../../kernel/http/errors.ts";
import type { CampaignContext } from "../context.ts";
import { afterOperation } from "../decide/state.ts";
import { strictRefusal } from "../plan/preflight.ts";
import { agentGone, agentNotHeld, startRefusal } from "../references.ts";
import { redialUnderWay } from "../repair/decide.ts";
import { applyOperation, type OperationOrder, wrongState } from "./apply-operation.ts";

type Context = Pick<
  CampaignContext,
  "env" | "store" | "guard" | "accountStore" | "outbox" | "listing" | "usage" | "wake" | "report" | "now"
>;

type StartOrder = OperationOrder & { operation: "start" | "resume"; strict: boolean };

/** Time after which an interrupted start is checked again, ms. */
const LOOK_AGAIN_MS = 2_000;

/**
 * Starts or resumes. The agent can't be deleted between the check and the time at which D1 lists the campaign as
 * running.
 */
export async function start(context: Context, order: StartOrder): Promise<void> {
  if (context.guard.is("starting")) throw conflict("wrong_state", "the campaign is being started");
  await context.guard.while("starting", async () => {
    await check(context, order);
    await startHoldingAgent(context, order);
  });
}

async function check(context: Context, { operation, strict }: StartOrder): Promise<void> {
  const { env, store, guard, accountStore, usage, now } = context;
  const refusal = await startRefusal(env, accountStore, store.campaign.settings, now());
  const { redial, status } = guard.settled();
  if (refusal) throw refusal;
  if (redial !== null) throw redialUnderWay();
  if (strict) {
    const account = await usage();
    guard.existing();
    const warned = await strictRefusal(context, account, operation, now());
    guard.settled();
    if (warned) throw warned;
  }
  if (afterOperation(status, operation) === null) throw wrongState(store, operation);
}

async function startHoldingAgent(context: Context, order: StartOrder): Promise<void> {
  const { guard, outbox, listing, wake, report, now } = context;
  await wake(now() + LOOK_AGAIN_MS);
  try {
    const isHeld = await outbox
      .inTurn("d1", () => listing.holdAgent())
      .catch((error: unknown) => {
        report(error);
        throw agentNotHeld();
      });
    guard.settled();
    if (!isHeld) throw agentGone();
    applyOperation(context, order);
  } finally {
    listing.releaseAgent();
  }
}
