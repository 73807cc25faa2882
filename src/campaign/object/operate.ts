import type { CampaignContext } from "../context.ts";
import type { RevisedCampaign } from "../view.ts";
import { applyOperation, type OperationOrder } from "./apply-operation.ts";
import { publish } from "./publish.ts";
import { start } from "./start.ts";

/**
 * Starts, pauses, resumes or stops the campaign; done before under the same id, it is not done again.
 * @param order `strict`: a start is refused for whatever a plan would warn of
 * @throws ApiError 404, 409, 503
 */
export async function operateCampaign(
  context: CampaignContext,
  order: OperationOrder & { strict: boolean },
): Promise<RevisedCampaign> {
  const { operation, author, strict, id } = order;
  context.guard.settled();
  if (!context.store.operations.find(id)) {
    if (operation === "start" || operation === "resume") await start(context, { operation, author, strict, id });
    else applyOperation(context, order);
  }
  return publish(context);
}
