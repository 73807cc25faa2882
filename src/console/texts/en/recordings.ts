/** Nothing yet. */
export const recordings = {};
