/** Nothing yet. */
export const carriers = {};
