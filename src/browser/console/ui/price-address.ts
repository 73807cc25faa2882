/** The address of a price; the slashes of its name would be parts of the address. */
export const addressOfPrice = (what: string): string => `/prices/${idOfPrice(what)}`;

/** A price's name as a part of an address. */
export const idOfPrice = (what: string): string => what.replaceAll("/", ":");
