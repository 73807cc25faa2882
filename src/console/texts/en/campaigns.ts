/** Nothing yet. */
export const campaigns = {};
