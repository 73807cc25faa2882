import type { Body } from "../../../api/client.ts";

/** The campaign as the API shows it. */
export type Campaign = Body<"Campaign">;
/** How many of its contacts are in each status. */
export type Counts = Campaign["counts"];
/** What a contact can be. */
export type ContactStatus = keyof Counts;

type Snapshot = Body<"CampaignSnapshotEvent">;
type CampaignChange = Body<"CampaignChangedEvent">;
/** A contact came to another status. */
export type ContactChange = Exclude<Body<"CampaignEvent">, Snapshot | CampaignChange>;

/** What the stream of a campaign tells. */
export type Told =
  | {
      kind: "snapshot";
      campaign: Snapshot;
      /** Nothing from before it follows: the stream begins with it, rather than goes on where it was lost. */
      isFresh: boolean;
    }
  | { kind: "contact"; change: ContactChange }
  | { kind: "campaign"; change: CampaignChange };
