/** Returns the address of a price. The slashes of its name would split the address. */
export const addressOfPrice = (what: string): string => `/prices/${idOfPrice(what)}`;

/** Returns a price's name as a part of an address. */
export const idOfPrice = (what: string): string => what.replaceAll("/", ":");
