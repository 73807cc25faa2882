/** Nothing yet. */
export const integrations = {};
