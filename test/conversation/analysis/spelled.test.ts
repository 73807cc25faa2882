import { describe, expect, it } from "vitest";
import {
  emailsIn,
  isSamePhone,
  isSpelled,
  phonesIn,
  piecesOf,
  spelledRow,
} from "../../../src/conversation/runtime/analysis/readings/spelled.ts";

const emails = (text: string) => emailsIn(piecesOf(text)).map(({ values }) => values[0]);
const phones = (text: string) => phonesIn(piecesOf(text));

describe("the e-mail addresses in a text", () => {
  it.each([
    ["b o b dot miller at gmail dot com", "bob.miller@gmail.com"],
    ["It's b o b dot miller at gmail dot com, thanks.", "bob.miller@gmail.com"],
    ["my e-mail is ada dot lovelace at example dot co dot uk please", "ada.lovelace@example.co.uk"],
    ["m as in mike a d a at x y z dot o r g", "mada@xyz.org"],
    ["double l a underscore two at foo dot de", "lla_2@foo.de"],
    ["write to ada-l_x+1@my-site.example.com. Bye", "ada-l_x+1@my-site.example.com"],
    ["ada@example.com.", "ada@example.com"],
    ["a wie Anton d wie Dora a Unterstrich b at foo Punkt de", "ada_b@foo.de"],
    ["j comme Joseph o tiret b arobase exemple point fr", "jo-b@exemple.fr"],
    ["l jak Leon o małpa firma kropka pl", "lo@firma.pl"],
    ["a n a guion bajo b arroba correo punto es", "ana_b@correo.es"],
    ["j o tiret bas b arobase exemple point fr", "jo_b@exemple.fr"],
    ["l i trattino basso b chiocciola posta punto it", "li_b@posta.it"],
    ["j a n laag streepje b apenstaartje post punt nl", "jan_b@post.nl"],
  ])("“%s” contains the address %s", (text, email) => {
    expect(emails(text)).toEqual([email]);
  });

  it.each(["meet me at noon", "at gmail", "ada at example", "@", ""])("“%s” contains no address", (text) => {
    expect(emails(text)).toEqual([]);
  });
});

describe("the phone numbers in a text", () => {
  it.each([
    ["202 555 0143", "+12025550143"],
    ["202 555 0143", "2025550143"],
    ["two oh two, five five five, oh one four three", "(202) 555-0143"],
    ["plus one 202 555 0143", "202-555-0143"],
    ["two zero two triple five zero one four three", "+1 202 555 0143"],
    ["null eins sieben null eins zwei drei vier fünf sechs sieben", "+491701234567"],
    ["zéro six douze trente-quatre cinquante-six soixante-dix", "0612345670"],
    ["+49 (170) 123-4567", "0170 1234567"],
  ])("“%s” contains the number %s", (text, written) => {
    expect(phones(text).some((said) => isSamePhone(written, said))).toBe(true);
  });

  it.each([
    ["202 555 0143", "+12025550144"],
    ["555 01", "55501"],
    ["call 202 555 0143", "5550143"],
  ])("“%s” does not contain the number %s", (text, written) => {
    expect(phones(text).some((said) => isSamePhone(written, said))).toBe(false);
  });
});

describe("a text that is spelled", () => {
  it.each([
    ["order A C dash one two three four", "ac1234", true],
    ["that is M I L L E R", "miller", true],
    ["that is M I L L E R", "mille", false],
    ["Ada Lovelace", "adalove", false],
  ])("whether “%s” spells %s is found: %s", (text, compact, isIn) => {
    expect(isSpelled(compact, spelledRow(piecesOf(text)))).toBe(isIn);
  });
});
