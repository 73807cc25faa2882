import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { CampaignContext } from "../context.ts";

export type EraseContext = Pick<
  CampaignContext,
  "name" | "storage" | "store" | "accountStore" | "outbox" | "listing" | "hub"
>;

/**
 * Erases the campaign in the name of `author`, once everything it owes has been taken. D1's row goes first: while it
 * exists, the object knows that something is left to erase.
 */
export async function erase(context: EraseContext, author: AccountStore): Promise<void> {
  const { store, outbox, listing } = context;
  await outbox.alone(async (drain) => {
    if (store.campaign.row === null) return;
    await drain();
    await listing.unlist(author, async () => {
      // It may have changed meanwhile.
      while (outbox.owes) await drain();
      await empty(context);
    });
  });
}

/** Erases a campaign that was never completely created: nobody needs what it owes. */
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
