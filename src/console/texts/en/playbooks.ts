/** Nothing yet. */
export const playbooks = {};
