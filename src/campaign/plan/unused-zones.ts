import { zoneNamed } from "../../kernel/zones/time-zone.ts";
import { zoneColumns } from "../../lists/columns.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

/** Waiting contacts whose cells are looked at. */
const LOOKED_AT = 50;

/**
 * The columns that hold names of time zones (Area/City), in at least half of the cells that are filled, while no column
 * is used for time zones; none where one is.
 */
export function unusedZoneColumns({ campaign, cells }: CampaignStore): string[] {
  const names: string[] = JSON.parse(campaign.existing.columns);
  if (zoneColumns(names).length > 0) return [];
  const rows = cells.cellsOf(cells.waitingRows(LOOKED_AT));
  return names.filter((_, place) => {
    const filled = rows.map((row) => row[place]?.trim() ?? "").filter((cell) => cell !== "");
    const zones = filled.filter((cell) => /\/|_slash_/i.test(cell) && zoneNamed(cell) !== null);
    return zones.length > 0 && 2 * zones.length >= filled.length;
  });
}
