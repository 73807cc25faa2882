/** Nothing yet. */
export const campaignPlan = {};
