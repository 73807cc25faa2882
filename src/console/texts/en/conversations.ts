/** Nothing yet. */
export const conversations = {};
