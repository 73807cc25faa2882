import type { Body } from "../../../api/client.ts";

export type Campaign = Body<"Campaign">;
export type Counts = Campaign["counts"];
export type ContactStatus = keyof Counts;

type Snapshot = Body<"CampaignSnapshotEvent">;
type CampaignChange = Body<"CampaignChangedEvent">;
export type ContactChange = Exclude<Body<"CampaignEvent">, Snapshot | CampaignChange>;

export type CampaignEvent =
  | {
      kind: "snapshot";
      campaign: Snapshot;
      /** Whether the stream starts over with this snapshot instead of resuming where it was interrupted. */
      isFresh: boolean;
    }
  | { kind: "contact"; change: ContactChange }
  | { kind: "campaign"; change: CampaignChange };
