/** Nothing yet. */
export const campaignSettings = {};
