import type { Author } from "../../kernel/db/account-store.ts";
import { conflict } from "../../kernel/http/errors.ts";
import { storedSettings } from "../settings.ts";
import type { CampaignRow } from "../store/campaign-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { ChosenContacts, CopiedContacts } from "../store/repairs.ts";
import type { Original } from "./clone.ts";
import { isBeingRead } from "./decide.ts";
import { type Choice, type ChoiceCounts, NOT_CALLED, OUTCOMES } from "./outcomes.ts";

/**
 * Returns the settings and columns that a clone copies besides contacts.
 * @throws ApiError 409 while the upload is being read
 */
export function originalOf(row: CampaignRow): Original {
  const { id, settings, columns } = row;
  if (isBeingRead(row)) throw conflict("importing", "the upload is still being read");
  return { id, settings: storedSettings(settings), columns: JSON.parse(columns) };
}

export function noteClone(store: CampaignStore, author: Author, now: number): void {
  store.transaction(() => store.audits.add("clone", author, now), now);
}

/** Returns contacts after a row, as many as fit into a message between objects. */
export function contactsToCopy(store: CampaignStore, after: number, choices: Choice[] | null): CopiedContacts {
  const { rows, count, zones, next } = store.repairs.copy(after, choices && chosen(choices));
  return { rows, count, zones, next, columns: store.campaign.existing.columns };
}

/** Counts the contacts that a clone would copy for each choice. Each contact counts once or not at all. */
export function choiceCounts(store: CampaignStore): ChoiceCounts {
  const counted = store.repairs.countOutcomes();
  const counts = OUTCOMES.map((outcome) => [outcome, counted.get(outcome) ?? 0]);
  const notCalled = store.repairs.countNotCalled(store.campaign.existing.accepted);
  return Object.fromEntries([...counts, [NOT_CALLED, notCalled]]) as ChoiceCounts;
}

function chosen(choices: Choice[]): ChosenContacts {
  return { outcomes: choices.filter((choice) => choice !== NOT_CALLED), notCalled: choices.includes(NOT_CALLED) };
}
