import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { CampaignContext } from "../context.ts";

export type EraseContext = Pick<
  CampaignContext,
  "name" | "storage" | "store" | "accountStore" | "outbox" | "listing" | "hub"
>;

/**
 * Erases the campaign with `author` as the actor, after everything in its outbox was delivered. The row in D1 is
 * deleted first. As long as the row exists, the object knows that it must still be erased.
 */
export async function erase(context: EraseContext, author: AccountStore): Promise<void> {
  const { store, outbox, listing } = context;
  await outbox.alone(async (drain) => {
    if (store.campaign.row === null) return;
    await drain();
    await listing.unlist(author, async () => {
      // More reports may have been added in the meantime.
      while (outbox.owes) await drain();
      await empty(context);
    });
  });
}

/** Erases a campaign that was never completely created. Its outbox is dropped. */
export async function abandon(context: EraseContext): Promise<void> {
  const { store, accountStore, outbox, listing } = context;
  await outbox.alone(async () => {
    if (store.campaign.row !== null) await listing.unlist(accountStore, () => empty(context));
  });
}

async function empty({ storage, store, hub }: EraseContext): Promise<void> {
  hub.close();
  const emptied = storage.deleteAll();
  store.campaign.unload();
  await emptied;
}
