/** Nothing yet. */
export const talk = {};
