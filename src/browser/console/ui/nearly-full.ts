/** From this share of a limit on there is little room left. */
export const NEARLY_FULL = 0.9;
