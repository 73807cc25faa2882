/** The names of characters 160 to 255 in order, and the codes of a few other names. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const NAMED = new Map<string, number>([
  ...LATIN.split(" ").map((name, at): [string, number] => [name, 160 + at]),
  ["amp", 38],
  ["lt", 60],
  ["gt", 62],
  ["quot", 34],
  ["apos", 39],
  ["ndash", 8211],
  ["mdash", 8212],
  ["lsquo", 8216],
  ["rsquo", 8217],
  ["sbquo", 8218],
  ["ldquo", 8220],
  ["rdquo", 8221],
  ["bdquo", 8222],
  ["bull", 8226],
  ["hellip", 8230],
  ["euro", 8364],
  ["trade", 8482],
]);
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,7}));/g;

/** Replaces HTML entities with their characters. Unknown names stay unchanged. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name?: string) => {
    const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : NAMED.get(name ?? "");
    const isCharacter = code !== undefined && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
}
