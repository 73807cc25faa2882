/** Nothing yet. */
export const widgetKeys = {};
