/** Nothing yet. */
export const newCampaign = {};
