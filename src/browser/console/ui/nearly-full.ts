/** Share of a limit from which little room is left. */
export const NEARLY_FULL = 0.9;
