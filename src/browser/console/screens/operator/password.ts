/** Letters and digits that are not taken for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_SIGNS = 5;

/** A first password that can be read out: 20 signs, some 99 bits. */
export function suggestedPassword(): string {
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_SIGNS }, sign).join("")).join("-");
}

function sign(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  // Bytes past the last whole round would make the first signs likelier.
  return byte < 256 - (256 % SIGNS.length) ? (SIGNS[byte % SIGNS.length] ?? "") : sign();
}
