/** From this share of a limit on, little room is left. */
export const NEARLY_FULL = 0.9;
