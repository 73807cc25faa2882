/** Returns the address of a price. Slashes in its name are replaced, because they would split the address. */
export const addressOfPrice = (what: string): string => `/prices/${idOfPrice(what)}`;

/** Returns a price's name as a part of an address. */
export const idOfPrice = (what: string): string => what.replaceAll("/", ":");
