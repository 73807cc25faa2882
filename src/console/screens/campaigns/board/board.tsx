import { useParams } from "@solidjs/router";
import { Contacts } from "../contacts/contacts.tsx";

/** One campaign live: how far it is, what holds it back, and its contacts. */
export default function Board() {
  const params = useParams<{ id: string; contactId?: string }>();
  return <Contacts campaignId={params.id} />;
}
