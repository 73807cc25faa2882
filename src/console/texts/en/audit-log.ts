/** Nothing yet. */
export const auditLog = {};
