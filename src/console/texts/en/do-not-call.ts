/** Nothing yet. */
export const doNotCall = {};
