/** Nothing yet. */
export const board = {};
