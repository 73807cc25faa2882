/** Nothing yet. */
export const marketplace = {};
