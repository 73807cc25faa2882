import type { Author } from "../../kernel/db/account-store.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { conflict } from "../../kernel/http/errors.ts";
import type { CampaignContext } from "../context.ts";
import { erase } from "./erase.ts";

/** Time after which an interrupted deletion is noticed, ms. */
const LOOK_AGAIN_MS = 2_000;

/** Deletes the campaign with all its data. Its calls stay listed. @throws ApiError 404, 409 */
export async function removeCampaign(context: CampaignContext, { author }: { author: Author }): Promise<void> {
  const { env, name, guard, claims, dispatcher, wake, now } = context;
  if (guard.existing().status === "running")
    throw conflict("wrong_state", "the campaign is running; pause or stop it first");
  await guard.while("removing", async () => {
    // Ends and settles all calls first, because no object would reconcile them afterwards.
    await dispatcher.settled();
    const left = await dispatcher.calls.endAll();
    guard.existing();
    if (left > 0)
      throw conflict("calls_under_way", `${left} calls are still in progress and could not be hung up; try again`);
    await dispatcher.giveBack();
    // If this process dies, the next one lists the campaign again.
    await wake(now() + LOOK_AGAIN_MS);
    await erase(context, accountStore(env, name.account, author));
    // A redial may have just claimed the campaign as open again.
    await claims.listed();
  });
}
