import type { CampaignContext } from "../context.ts";
import type { RevisedCampaign } from "../projection.ts";
import { applyOperation, type OperationOrder } from "./apply-operation.ts";
import { publish } from "./publish.ts";
import { start } from "./start.ts";

/**
 * Starts, pauses, resumes or stops the campaign. An operation with the same ID isn't repeated.
 * @param order `strict`: refuse a start if the plan has warnings
 * @throws ApiError 404, 409, 503
 */
export async function operateCampaign(
  context: CampaignContext,
  order: OperationOrder & { strict: boolean },
): Promise<RevisedCampaign> {
  const { operation, author, strict, id, expected } = order;
  context.guard.settled();
  if (!context.store.operations.find(id)) {
    if (operation === "start" || operation === "resume")
      await start(context, { operation, author, strict, id, expected });
    else applyOperation(context, order);
  }
  return publish(context);
}
