/** Nothing yet. */
export const apiKeys = {};
