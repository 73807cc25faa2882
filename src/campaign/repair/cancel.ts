import type { Author } from "../../kernel/db/account-store.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { contactEntry } from "../store/campaign-transitions.ts";
import { existingContact } from "./correct.ts";
import { cancellationRefusal } from "./decide.ts";

/**
 * Cancels a waiting contact, which is never dialed after this has returned. `operation` is the ID of the request, if it
 * is fixed by an idempotency key.
 * @throws ApiError 404, 409
 */
export function cancelContact(
  { store, now: clock }: { store: CampaignStore; now: () => number },
  { id, author, operation }: { id: string; author: Author; operation: string | null },
): void {
  if (store.operations.find(operation)) return;
  const { campaign, contacts, audits } = store;
  const contact = existingContact(store, id);
  const refusal = cancellationRefusal(campaign.existing, contact);
  if (refusal) throw refusal;
  const now = clock();
  store.transaction((write) => {
    contacts.cancel([contact.id], now);
    campaign.move("pending", "cancelled");
    campaign.update({ updated_at: now });
    store.operations.note(operation, 1, now);
    audits.addAct("cancel_contact", { id: campaign.existing.id, name: campaign.settings.name }, author, now);
    write({ ...contactEntry(contact, "cancelled", null, null, "cancelled"), actor: author.actor });
  }, now);
}
