import type { CampaignContext } from "../context.ts";
import type { ContactRecord } from "../contract.ts";
import { shownContact } from "../streams/contact-list.ts";
import { publish } from "./publish.ts";

export async function changeContact(
  context: CampaignContext,
  { id, change }: { id: string; change: () => void },
): Promise<ContactRecord> {
  context.guard.existing();
  change();
  const contact = shownContact(context.store, id);
  await publish(context);
  return contact;
}
