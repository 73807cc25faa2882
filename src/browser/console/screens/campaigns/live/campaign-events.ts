import type { Body } from "../../../api/client.ts";

/** The campaign as the API shows it. */
export type Campaign = Body<"Campaign">;
/** How many of its contacts are in each status. */
export type Counts = Campaign["counts"];
/** The status of a contact. */
export type ContactStatus = keyof Counts;

type Snapshot = Body<"CampaignSnapshotEvent">;
type CampaignChange = Body<"CampaignChangedEvent">;
/** A contact entered another status. */
export type ContactChange = Exclude<Body<"CampaignEvent">, Snapshot | CampaignChange>;

/** An event of a campaign's stream. */
export type CampaignEvent =
  | {
      kind: "snapshot";
      campaign: Snapshot;
      /** Whether the stream starts over with it, rather than resuming where it was interrupted. */
      isFresh: boolean;
    }
  | { kind: "contact"; change: ContactChange }
  | { kind: "campaign"; change: CampaignChange };
