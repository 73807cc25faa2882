/** Nothing yet. */
export const tools = {};
