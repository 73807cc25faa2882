/** Nothing yet. */
export const accounts = {};
