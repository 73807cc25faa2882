import { zoneNamed } from "../../kernel/zones/time-zone.ts";
import { zoneColumns } from "../../lists/columns.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

/** Number of waiting contacts whose cells are read. */
const LOOKED_AT = 50;

/**
 * Returns the columns in which at least half of the filled cells are time zones (Area/City), if no column is used for
 * time zones.
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
