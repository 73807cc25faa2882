import { eq } from "drizzle-orm";
import { campaigns } from "../../kernel/db/schema/index.ts";
import type { CampaignContext } from "../context.ts";

export type EraseContext = Pick<CampaignContext, "name" | "storage" | "store" | "accountStore" | "projection" | "hub">;

/** Erases the campaign. D1 goes first: while its row exists, the object knows that there is something left to erase. */
export async function erase({ name, storage, store, accountStore, projection, hub }: EraseContext): Promise<void> {
  await projection.inTurn(async () => {
    await accountStore.write(
      { action: "delete", resource: "campaign", resource_id: name.id },
      accountStore.delete(campaigns, eq(campaigns.id, name.id)),
    );
    hub.close();
    await storage.deleteAll();
    store.campaign.forget();
  });
}
