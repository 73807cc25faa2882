/** Nothing yet. */
export const limits = {};
