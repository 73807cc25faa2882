import { type ApiError, conflict } from "../../kernel/http/errors.ts";
import { type CampaignStatus, isOver } from "../decide/state.ts";
import type { CampaignRow } from "../store/campaign-row.ts";
import type { ContactRow } from "../store/contacts.ts";

type CampaignState = Pick<CampaignRow, "status" | "importing" | "append_after">;
type ContactState = Pick<ContactRow, "status" | "next_attempt_at">;

/** Returns why the contact can't be corrected now; null if it can. */
export function correctionRefusal(campaign: CampaignState, contact: ContactState): ApiError | null {
  if (isBeingRead(campaign)) return importing();
  if (campaign.status !== "draft" && campaign.status !== "paused")
    return conflict(
      "wrong_state",
      `a contact of a campaign that is ${campaign.status} cannot be changed${hint(campaign.status)}`,
    );
  return notWaiting(contact, "changed");
}

/** Returns why the contact can't be canceled now; null if it can. */
export function cancellationRefusal(campaign: CampaignState, contact: ContactState): ApiError | null {
  if (campaign.importing) return importing();
  if (isOver(campaign.status))
    return conflict("wrong_state", `the campaign is ${campaign.status} and places no more calls`);
  return notWaiting(contact, "cancelled");
}

/** Returns why failed contacts can't be made pending again now; null if they can. */
export function redialRefusal(campaign: CampaignState & Pick<CampaignRow, "redial">): ApiError | null {
  if (isBeingRead(campaign)) return importing();
  if (campaign.redial !== null) return redialUnderWay();
  if (campaign.status === "paused" || campaign.status === "completed") return null;
  return conflict("wrong_state", `cannot redial a campaign that is ${campaign.status}${hint(campaign.status)}`);
}

/** Checks whether an upload is being read, the first one or an additional one. */
export function isBeingRead({ importing, append_after }: Pick<CampaignRow, "importing" | "append_after">): boolean {
  return importing !== 0 || append_after !== null;
}

/** Returns the error while contacts are being made pending again. Nothing is dialed until all are. */
export function redialUnderWay(): ApiError {
  return conflict("redial_under_way", "a redial is still being prepared; try again in a moment");
}

function hint(status: CampaignStatus): string {
  if (status === "running") return "; pause it first";
  return status === "stopped" ? "; clone it" : "";
}

function importing(): ApiError {
  return conflict("importing", "the upload is still being read");
}

function notWaiting({ status, next_attempt_at }: ContactState, what: string): ApiError | null {
  if (status !== "pending") return conflict("wrong_state", `a contact that is ${status} cannot be ${what}`);
  if (next_attempt_at === null) return conflict("wrong_state", `the contact is being called and cannot be ${what}`);
  return null;
}
