/** Nothing yet. */
export const agents = {};
