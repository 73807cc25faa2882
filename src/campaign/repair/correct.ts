import type { Author } from "../../kernel/db/account-store.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { invalidFields, invalidNumber } from "../../kernel/http/issues.ts";
import { canonicalNumber } from "../../kernel/numbers/read-number.ts";
import { zoneOfNumber } from "../../kernel/zones/number-zone.ts";
import { whyNoZone, zoneNamed } from "../../kernel/zones/time-zone.ts";
import { zoneColumns } from "../../lists/columns.ts";
import { contactId, contactRow } from "../contact-id.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignEntry } from "../store/campaign-transitions.ts";
import type { ContactRow } from "../store/contacts.ts";
import { correctionRefusal } from "./decide.ts";
import { patchVariables, type VariablesPatch } from "./variables.ts";

/** The changes to a contact. Omitted fields don't change. */
export interface Correction {
  phone_number?: string | undefined;
  variables?: VariablesPatch | undefined;
}

export function existingContact({ campaign, contacts }: CampaignStore, id: string): ContactRow {
  const row = contactRow(campaign.existing.id, id);
  const contact = row === null ? undefined : contacts.get(row);
  if (!contact) throw notFound("contact");
  return contact;
}

/**
 * Corrects a waiting contact in one transaction with its entries in the history and the audit log.
 * @throws ApiError 400, 404, 409
 */
export function correctContact(
  { store, now: clock }: { store: CampaignStore; now: () => number },
  { id, correction, author }: { id: string; correction: Correction; author: Author },
): void {
  const { campaign, repairs, attempts, audits } = store;
  const now = clock();
  const contact = existingContact(store, id);
  const phone = correctedNumber(store, contact, correction.phone_number);
  const before: string[] = JSON.parse(campaign.existing.columns);
  const patched = patchVariables(before, JSON.parse(contact.variables), correction.variables ?? {});
  if ("wrong" in patched) throw invalidFields([patched.wrong], "invalid_variables");
  const { columns, values, changed } = patched;
  const renumbered = phone !== contact.phone;
  const fields = [...(renumbered ? ["phone_number"] : []), ...changed];
  // Fields sent with their current values are not changes and are always allowed.
  if (fields.length === 0) return;
  const refusal = correctionRefusal(campaign.existing, contact);
  if (refusal) throw refusal;
  const rezoned = renumbered || zoneColumns(columns).some((position) => changed.includes(columns[position] ?? ""));
  const zone = () => (rezoned ? correctedZone(store, columns, values, phone) : contact.zone);
  const variables = changed.length > 0 ? JSON.stringify(values) : contact.variables;
  store.transaction((write) => {
    attempts.keepLine(contact);
    repairs.correct(contact, { phone, zone: zone(), variables, updated_at: now }, campaign.existing.seq);
    campaign.update({ updated_at: now, columns: JSON.stringify(columns) });
    const names = { ...(renumbered && { phone_number: null }), ...(changed.length > 0 && { variables: null }) };
    audits.addAct("correct_contact", { id: campaign.existing.id, name: campaign.settings.name }, author, now, names);
    const detail = `${contactId(campaign.existing.id, contact.id)}: ${fields.join(",")}`;
    write({ ...campaignEntry(store, "contact_corrected", author.actor), detail });
  }, now);
}

/** Returns the digits of the contact's new number. @throws ApiError 400 */
function correctedNumber(
  { campaign, repairs }: CampaignStore,
  contact: ContactRow,
  written: string | undefined,
): number {
  if (written === undefined) return contact.phone;
  const e164 = canonicalNumber(written);
  if (e164 === null) throw invalidNumber("phone_number", written);
  const phone = Number(e164.slice(1));
  const other = repairs.withNumber(phone);
  if (other !== null && other !== contact.id)
    throw invalidField(
      "phone_number",
      "duplicate_number",
      `contact ${contactId(campaign.existing.id, other)} already has this number`,
    );
  return phone;
}

/**
 * Returns the zone in which the contact is called: that of its own column, otherwise that of its number, otherwise the
 * campaign's.
 * @throws ApiError 400
 */
function correctedZone({ repairs }: CampaignStore, columns: string[], values: string[], phone: number): number {
  // Additional uploads may have another name for the column.
  const positions = zoneColumns(columns);
  const at = positions.find((position) => (values[position] ?? "").trim() !== "") ?? -1;
  const written = values[at]?.trim() ?? "";
  const named = written === "" ? null : zoneNamed(written);
  if (written !== "" && named === null)
    throw invalidField(`variables.${columns[at]}`, "invalid_variables", whyNoZone(written));
  const zone = named ?? zoneOfNumber(`+${phone}`);
  return zone === null ? 0 : repairs.zone(zone);
}
