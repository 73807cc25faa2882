/** Nothing yet. */
export const callSettings = {};
