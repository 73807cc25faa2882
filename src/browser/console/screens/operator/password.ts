/** Letters and digits that aren't mistaken for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_SIGNS = 5;

/** Returns a first password that can be read aloud: 20 characters, about 99 bits. */
export function suggestedPassword(): string {
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_SIGNS }, sign).join("")).join("-");
}

function sign(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  // Larger bytes are drawn again, because they would make the first characters more likely.
  return byte < 256 - (256 % SIGNS.length) ? (SIGNS[byte % SIGNS.length] ?? "") : sign();
}
