import { type Mapping, withName, withoutColumn, withUse } from "./mapping.ts";

/** A column that probably holds the values of a variable. */
export interface Proposal {
  variable: string;
  column: number;
}

/** Names of columns and variables by meaning, without case, accents and punctuation. */
const MEANINGS = {
  first_name: "firstname forename givenname vorname rufname prenom nombre nome fname first".split(" "),
  last_name: "lastname surname familyname nachname familienname apellido apellidos cognome lname last".split(" "),
  name: "name fullname contactname customername clientname kundenname contact customer client kunde".split(" "),
  salutation: "salutation anrede civilite title titel".split(" "),
  company: "company companyname organisation organization firm firma firmenname unternehmen entreprise empresa".split(
    " ",
  ),
  email: "email emailaddress mail emailadresse courriel correo".split(" "),
  street: "street streetaddress address address1 strasse anschrift adresse rue calle direccion".split(" "),
  city: "city town ort stadt wohnort ville ciudad citta".split(" "),
  zip: "zip zipcode postcode postalcode plz postleitzahl codepostal cap".split(" "),
  country: "country land pays pais paese".split(" "),
  state: "state province region bundesland provincia".split(" "),
  birthday: "birthday birthdate dateofbirth dob geburtstag geburtsdatum".split(" "),
  customer_number: "customernumber customerid clientid accountnumber kundennummer kundennr".split(" "),
  order_number: "ordernumber orderid orderno order bestellnummer auftragsnummer bestellung auftrag".split(" "),
  appointment: "appointment appointmentdate appointmenttime termin rendezvous cita".split(" "),
  amount: "amount balance total sum betrag summe montant importe".split(" "),
  due_date: "duedate due dueon faelligam faelligkeit".split(" "),
  product: "product productname item article produkt artikel produit producto".split(" "),
  language: "language lang sprache langue idioma".split(" "),
};

/**
 * Returns the column that fits each name without a column: one with the same name except for punctuation and case,
 * otherwise one with the same meaning, otherwise one that shares a word. No column is proposed twice, and no column
 * that already provides another of the names is proposed.
 */
export function proposals(names: string[], mapping: Mapping): Proposal[] {
  const missing = withoutColumn(names, mapping);
  const isBringing = (i: number) => {
    const { use, name } = mapping[i] ?? { use: "phone", name: "" };
    return use === "variable" && withoutColumn(names, [{ from: name, use, name }]).length < names.length;
  };
  const free = [...mapping.keys()].filter((i) => mapping[i]?.use !== "phone" && !isBringing(i));
  const pairs = missing.flatMap((variable) =>
    free.map((column) => ({ variable, column, score: likeness(variable, mapping[column]?.from ?? "") })),
  );
  const found = new Map<string, Proposal>();
  const taken = new Set<number>();
  for (const { variable, column, score } of pairs.toSorted((a, b) => b.score - a.score)) {
    if (score === 0 || found.has(variable) || taken.has(column)) continue;
    found.set(variable, { variable, column });
    taken.add(column);
  }
  return missing.flatMap((variable) => found.get(variable) ?? []);
}

/** Returns the mapping in which a column provides the variable. */
export function withProposal(mapping: Mapping, { variable, column }: Proposal): Mapping {
  return withName(withUse(mapping, column, "variable"), column, variable);
}

function likeness(variable: string, column: string): number {
  const [own, other] = [wordsOf(variable), wordsOf(column)];
  if (own.join("") === other.join("")) return 4;
  const [meaning, otherMeaning] = [meaningOf(own), meaningOf(other)];
  if (meaning !== undefined && meaning === otherMeaning) return 3;
  // A first name serves as the name if the list has no other.
  if (meaning === "name" && otherMeaning === "first_name") return 1;
  if (meaning !== undefined && otherMeaning !== undefined) return 0;
  return own.some((word) => word.length > 2 && other.includes(word)) ? 2 : 0;
}

/** Splits a name into words: "firstName", "First name" and "first_name" all become "first" and "name". */
function wordsOf(name: string): string[] {
  const plain = name.replaceAll("ß", "ss").replace(/[äöü]/gi, "$&e").normalize("NFD").replace(/\p{M}/gu, "");
  const spaced = plain.replace(/([a-z\d])([A-Z])/g, "$1 $2");
  return spaced.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}

function meaningOf(words: string[]): string | undefined {
  const isCalled = (name: string) => Object.entries(MEANINGS).find(([, names]) => names.includes(name))?.[0];
  return isCalled(words.join(""));
}
