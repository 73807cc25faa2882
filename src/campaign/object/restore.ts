import { type ObjectRestore, restoreObject } from "../../kernel/backup/object-copy.ts";
import { conflict } from "../../kernel/http/errors.ts";
import type { CampaignContext } from "../context.ts";
import { operate } from "../store/campaign-transitions.ts";
import { CAMPAIGN } from "../stores.ts";

const AUTHOR = { actor: "system:restore", request_id: "" };

/**
 * Restores a page of a backup. The last page completes the campaign: it is paused if it was running, its calls are
 * reconciled, and it is listed in D1. @throws ApiError 409 if the object has another campaign
 */
export async function restoreCampaign(
  { storage, store, name, hub, wake, now }: CampaignContext,
  page: ObjectRestore,
): Promise<void> {
  const at = now();
  const complete = () => {
    if (page.steps === 0) return;
    storage.sql.exec("UPDATE campaign SET id = ?, account = ?, listed_revision = 0", name.id, name.account);
    store.campaign.reload();
    const { row } = store.campaign;
    if (row === null) throw conflict("incomplete", "the backup has no row of the campaign");
    // Builds the indexes that the end of an upload builds.
    if (!store.imports.phonesIndexed) {
      store.imports.indexPhones();
      store.contacts.indexDue();
    }
    if (row.status !== "draft") store.contacts.indexStatuses();
    if (row.status === "running") operate(store, "pause", AUTHOR, at);
  };
  try {
    const isWhole = restoreObject(storage, CAMPAIGN, page, complete);
    if (!isWhole || store.campaign.row === null) return;
  } catch (error) {
    store.campaign.reload();
    throw error;
  }
  await hub.publish(store.campaign.row.seq);
  await wake();
}
