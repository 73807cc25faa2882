/** Nothing yet. */
export const calls = {};
