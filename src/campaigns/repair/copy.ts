import type { Author } from "../../db/account-store.ts";
import { conflict } from "../../http/errors.ts";
import type { Outcome } from "../decide/state.ts";
import { storedSettings } from "../settings.ts";
import type { CampaignRow } from "../store/campaign-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { CopiedContacts } from "../store/repairs.ts";
import type { Original } from "./clone.ts";
import { isBeingRead } from "./decide.ts";

/** What a clone of the campaign is made of beside its contacts. @throws ApiError 409 while its upload is being read */
export function originalOf(row: CampaignRow): Original {
  const { id, settings, columns } = row;
  if (isBeingRead(row)) throw conflict("importing", "the upload is still being read");
  return { id, settings: storedSettings(settings), columns: JSON.parse(columns) };
}

/** Puts it on record that the campaign is cloned. */
export function noteClone(store: CampaignStore, author: Author, now: number): void {
  store.transaction(() => store.audits.add("clone", author, now), now);
}

/** Contacts after a row, as many as a message between objects may hold. */
export function contactsToCopy(store: CampaignStore, after: number, outcomes: Outcome[] | null): CopiedContacts {
  const { rows, count, zones, next } = store.repairs.copy(after, outcomes);
  return { rows, count, zones, next, columns: store.campaign.known.columns };
}
