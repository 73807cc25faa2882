/** Nothing yet. */
export const numbers = {};
