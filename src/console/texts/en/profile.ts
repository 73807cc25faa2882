/** Nothing yet. */
export const profile = {};
