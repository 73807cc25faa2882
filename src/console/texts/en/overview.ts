/** Nothing yet. */
export const overview = {};
