import type { Language } from "../analysis/readings/spoken-languages.ts";

/** How a language spells. Lists of words that may consist of several are separated by bars. */
export interface SpellingAlphabet {
  /** An example for each letter, which begins with that letter. */
  examples: string;
  /** Letters that have a name instead of an example. */
  named?: Record<string, string>;
  /** The words for 0 to 9. */
  digits: string;
  /** The names of `SIGNS`, in order. */
  signs: string;
  /** The names of `ACCENTS`, in order. */
  accents: string;
  letter(letter: string, example: string): string;
  accented(letter: string, accent: string): string;
}

/** The signs of names, addresses and numbers. */
export const SIGNS = "@.-_+/\\#&',:() ";

/** The combining characters of the grave, acute, circumflex, tilde, diaeresis, ring, caron, cedilla, ogonek and dot. */
export const ACCENTS = "\u0300\u0301\u0302\u0303\u0308\u030A\u030C\u0327\u0328\u0307";

/**
 * The spelling alphabets by language: English that of the ICAO (Annex 10), German that of DIN 5009:2022 with words for umlauts, the others
 * those with which people usually spell on the phone.
 */
export const ALPHABETS: Record<Language, SpellingAlphabet> = {
  en: {
    examples:
      "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec " +
      "Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu",
    digits: "zero one two three four five six seven eight nine",
    signs:
      "at|dot|dash|underscore|plus|slash|backslash|hash|ampersand|apostrophe|comma|colon|opening bracket|" +
      "closing bracket|space",
    accents: "grave|acute|circumflex|tilde|umlaut|ring|caron|cedilla|ogonek|dot",
    letter: (letter, example) => `${letter} as in ${example}`,
    accented: (letter, accent) => `${letter} with ${accent}`,
  },
  de: {
    examples:
      "Aachen Ärger Berlin Chemnitz Düsseldorf Essen Frankfurt Goslar Hamburg Ingelheim Jena Köln Leipzig " +
      "München Nürnberg Offenbach Öl Potsdam Quickborn Rostock Salzwedel Tübingen Unna Übung Völklingen " +
      "Wuppertal Xanten Ypsilon Zwickau",
    named: { ß: "Eszett" },
    digits: "null eins zwei drei vier fünf sechs sieben acht neun",
    signs:
      "at|Punkt|Bindestrich|Unterstrich|plus|Schrägstrich|umgekehrter Schrägstrich|Raute|Und-Zeichen|Apostroph|" +
      "Komma|Doppelpunkt|Klammer auf|Klammer zu|Leerzeichen",
    accents: "Gravis|Akut|Zirkumflex|Tilde|Trema|Ring|Hatschek|Cedille|Ogonek|Punkt",
    letter: (letter, example) => `${letter} wie ${example}`,
    accented: (letter, accent) => `${letter} mit ${accent}`,
  },
  es: {
    examples:
      "Antonio Barcelona Carmen Dolores Enrique Francia Gerona Historia Inés José Kilo Lorenzo Madrid Navarra " +
      "Ñandú Oviedo París Querido Ramón Sábado Tarragona Ulises Valencia Washington Xilófono Yolanda Zaragoza",
    digits: "cero uno dos tres cuatro cinco seis siete ocho nueve",
    signs:
      "arroba|punto|guion|guion bajo|más|barra|barra invertida|almohadilla|y comercial|apóstrofo|coma|dos puntos|" +
      "abre paréntesis|cierra paréntesis|espacio",
    accents: "acento grave|acento|acento circunflejo|virgulilla|diéresis|anillo|carón|cedilla|ogonek|punto",
    letter: (letter, example) => `${letter} de ${example}`,
    accented: (letter, accent) => `${letter} con ${accent}`,
  },
  fr: {
    examples:
      "Anatole Berthe Célestin Désiré Eugène François Gaston Henri Irma Joseph Kléber Louis Marcel Nicolas Oscar " +
      "Pierre Quintal Raoul Suzanne Thérèse Ursule Victor William Xavier Yvonne Zoé",
    digits: "zéro un deux trois quatre cinq six sept huit neuf",
    signs:
      "arobase|point|tiret|tiret bas|plus|barre oblique|barre oblique inversée|dièse|esperluette|apostrophe|" +
      "virgule|deux-points|parenthèse ouvrante|parenthèse fermante|espace",
    accents: "accent grave|accent aigu|accent circonflexe|tilde|tréma|rond en chef|caron|cédille|ogonek|point",
    letter: (letter, example) => `${letter} comme ${example}`,
    accented: (letter, accent) => `${letter} avec ${accent}`,
  },
  it: {
    examples:
      "Ancona Bologna Como Domodossola Empoli Firenze Genova Hotel Imola Jolly Kursaal Livorno Milano Napoli " +
      "Otranto Padova Quarto Roma Savona Torino Udine Venezia Washington Xilofono York Zara",
    digits: "zero uno due tre quattro cinque sei sette otto nove",
    signs:
      "chiocciola|punto|trattino|trattino basso|più|barra|barra rovesciata|cancelletto|e commerciale|apostrofo|" +
      "virgola|due punti|parentesi aperta|parentesi chiusa|spazio",
    accents: "accento grave|accento acuto|accento circonflesso|tilde|dieresi|anello|pipa|cediglia|ogonek|punto",
    letter: (letter, example) => `${letter} come ${example}`,
    accented: (letter, accent) => `${letter} con ${accent}`,
  },
  pt: {
    examples:
      "Aveiro Bragança Coimbra Dafundo Elvas Faro Guarda Horta Itália José Kilo Lisboa Maria Nazaré Ovar Porto " +
      "Queluz Rossio Setúbal Tavira Unidade Vidago Waldemar Xavier York Zulmira",
    digits: "zero um dois três quatro cinco seis sete oito nove",
    signs:
      "arroba|ponto|hífen|sublinhado|mais|barra|barra invertida|cardinal|e comercial|apóstrofo|vírgula|" +
      "dois pontos|abre parênteses|fecha parênteses|espaço",
    accents: "acento grave|acento agudo|acento circunflexo|til|trema|anel|caron|cedilha|ogonek|ponto",
    letter: (letter, example) => `${letter} de ${example}`,
    accented: (letter, accent) => `${letter} com ${accent}`,
  },
  nl: {
    examples:
      "Anna Bernard Cornelis Dirk Eduard Ferdinand Gerard Hendrik Izaak Johan Karel Lodewijk Maria Nico Otto " +
      "Pieter Quotiënt Rudolf Simon Theodoor Utrecht Victor Willem Xantippe Ypsilon Zaandam",
    digits: "nul één twee drie vier vijf zes zeven acht negen",
    signs:
      "apenstaartje|punt|streepje|laag streepje|plus|schuine streep|omgekeerde schuine streep|hekje|en-teken|" +
      "apostrof|komma|dubbele punt|haakje openen|haakje sluiten|spatie",
    accents: "accent grave|accent aigu|accent circonflexe|tilde|trema|ring|haček|cedille|ogonek|punt",
    letter: (letter, example) => `${letter} van ${example}`,
    accented: (letter, accent) => `${letter} met ${accent}`,
  },
  pl: {
    examples:
      "Adam Barbara Celina Dorota Ewa Franciszek Genowefa Henryk Irena Jadwiga Karol Leon Łukasz Maria Natalia " +
      "Olga Paweł Quebec Roman Stefan Tadeusz Urszula Violetta Wacław Xantypa Ypsilon Zygmunt Żaneta",
    digits: "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć",
    signs:
      "małpa|kropka|myślnik|podkreślenie|plus|ukośnik|ukośnik wsteczny|krzyżyk|ampersand|apostrof|przecinek|" +
      "dwukropek|nawias otwierający|nawias zamykający|spacja",
    accents: "akcentem grawis|kreską|daszkiem|tyldą|umlautem|kółkiem|haczkiem|cedyllą|ogonkiem|kropką",
    letter: (letter, example) => `${letter} jak ${example}`,
    accented: (letter, accent) => `${letter} z ${accent}`,
  },
};
