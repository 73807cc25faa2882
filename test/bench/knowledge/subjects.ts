/** The languages of the documents; Japanese stands for scripts without spaces. */
export const LANGUAGES = ["en", "de", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * A fact in every document of a kind: its sentence, and the questions that people ask about it. `{name}` and `{value}`
 * are replaced.
 */
export interface Fact {
  heading: string;
  text: string;
  /** A question in the words of the text, and one in other words. */
  asks: { same: string; other: string };
}

interface Subject {
  values: readonly string[];
  facts: Record<Language, Fact>;
}

const fact = (heading: string, text: string, same: string, other: string): Fact => ({
  heading,
  text,
  asks: { same, other },
});

/** The facts in documents, by the kind of subject. */
export const SUBJECTS: Record<"hotel" | "clinic" | "machine", readonly Subject[]> = {
  hotel: [
    {
      values: ["12", "18", "21", "24", "27"],
      facts: {
        en: fact(
          "Parking",
          "The garage below the building costs {value} euros a night. A space cannot be reserved.",
          "What does the garage at {name} cost a night?",
          "How much do I pay to leave my car at {name}?",
        ),
        de: fact(
          "Parken",
          "Die Tiefgarage kostet {value} Euro pro Nacht. Ein Stellplatz kann nicht reserviert werden.",
          "Was kostet die Tiefgarage im Haus {name} pro Nacht?",
          "Wie viel zahle ich, wenn ich mein Auto bei {name} abstelle?",
        ),
        ja: fact(
          "駐車場",
          "地下駐車場の料金は一泊{value}ユーロです。予約はできません。",
          "{name}の地下駐車場の料金は一泊いくらですか。",
          "{name}に車を停めたいのですが、いくらかかりますか。",
        ),
      },
    },
    {
      values: ["6:30", "7:00", "7:30", "8:00"],
      facts: {
        en: fact(
          "Breakfast",
          "Breakfast is served from {value} in the winter garden. Guests who leave earlier get a packed one.",
          "From when is breakfast served at {name}?",
          "When can I eat in the morning at {name}?",
        ),
        de: fact(
          "Frühstück",
          "Das Frühstück gibt es ab {value} Uhr im Wintergarten. Wer früher abreist, bekommt ein Lunchpaket.",
          "Ab wann gibt es im Haus {name} Frühstück?",
          "Wann kann ich bei {name} morgens etwas essen?",
        ),
        ja: fact(
          "朝食",
          "朝食は{value}からウィンターガーデンで提供します。早く出発する方にはお弁当を用意します。",
          "{name}の朝食は何時から提供されますか。",
          "{name}では朝ごはんをいつ食べられますか。",
        ),
      },
    },
    {
      values: ["5", "8", "10", "15"],
      facts: {
        en: fact(
          "Dogs",
          "Dogs are welcome and cost {value} euros a day. They are not allowed in the restaurant.",
          "What do dogs cost a day at {name}?",
          "May I bring my pet to {name}, and what is the fee?",
        ),
        de: fact(
          "Hunde",
          "Hunde sind willkommen und kosten {value} Euro am Tag. Ins Restaurant dürfen sie nicht.",
          "Was kosten Hunde im Haus {name} am Tag?",
          "Darf ich mein Haustier zu {name} mitbringen, und wie hoch ist die Gebühr?",
        ),
        ja: fact(
          "犬",
          "犬の同伴は一日{value}ユーロです。レストランには入れません。",
          "{name}の犬の同伴は一日いくらですか。",
          "{name}にペットを連れて行けますか。費用はどのくらいですか。",
        ),
      },
    },
    {
      values: ["1", "2", "3", "7"],
      facts: {
        en: fact(
          "Cancellation",
          "A booking can be cancelled free of charge until {value} days before arrival. Later the first night is charged.",
          "Until how many days before arrival can a booking at {name} be cancelled?",
          "Our plans changed: how late can we call off the stay at {name} without paying?",
        ),
        de: fact(
          "Stornierung",
          "Eine Buchung kann bis {value} Tage vor der Anreise kostenlos storniert werden. Danach wird die erste Nacht berechnet.",
          "Bis wann kann eine Buchung im Haus {name} storniert werden?",
          "Wir kommen doch nicht: bis wann können wir bei {name} gratis absagen?",
        ),
        ja: fact(
          "キャンセル",
          "ご予約は到着の{value}日前まで無料でキャンセルできます。それ以降は一泊分を請求します。",
          "{name}の予約は到着の何日前までキャンセルできますか。",
          "予定が変わりました。{name}の宿泊を無料で取り消せるのはいつまでですか。",
        ),
      },
    },
  ],
  clinic: [
    {
      values: ["7:15", "7:45", "8:10", "8:30"],
      facts: {
        en: fact(
          "Blood tests",
          "Blood is taken on workdays from {value} without an appointment. Please do not eat before it.",
          "From when is blood taken at {name}?",
          "When does the laboratory of {name} open for a check of my cholesterol?",
        ),
        de: fact(
          "Blutabnahme",
          "Blut wird werktags ab {value} Uhr ohne Termin abgenommen. Bitte kommen Sie nüchtern.",
          "Ab wann wird in der Praxis {name} Blut abgenommen?",
          "Wann öffnet das Labor von {name} für mein Cholesterin?",
        ),
        ja: fact(
          "採血",
          "採血は平日{value}から予約なしで受けられます。食事をとらずにお越しください。",
          "{name}の採血は平日何時からですか。",
          "{name}でコレステロールの検査を受けたいのですが、いつから開いていますか。",
        ),
      },
    },
    {
      values: ["2", "3", "4", "5"],
      facts: {
        en: fact(
          "Prescriptions",
          "A repeat prescription is ready after {value} workdays. Order it by telephone or on the website.",
          "After how many workdays is a repeat prescription ready at {name}?",
          "My pills are running out: how long does {name} need to write new ones down?",
        ),
        de: fact(
          "Rezepte",
          "Ein Folgerezept liegt nach {value} Werktagen bereit. Bestellen Sie es per Telefon oder auf der Website.",
          "Nach wie vielen Werktagen liegt ein Folgerezept in der Praxis {name} bereit?",
          "Meine Tabletten gehen zur Neige: wie lange braucht {name} für neue?",
        ),
        ja: fact(
          "処方箋",
          "再発行の処方箋は{value}営業日後に受け取れます。電話またはウェブサイトでお申し込みください。",
          "{name}の再発行の処方箋は何営業日後に受け取れますか。",
          "薬がなくなりそうです。{name}で次の分をもらうには何日かかりますか。",
        ),
      },
    },
    {
      values: ["20", "30", "45", "60"],
      facts: {
        en: fact(
          "Missed appointments",
          "An appointment that is missed without notice costs {value} euros. Notice is in time until noon of the day before.",
          "What does a missed appointment cost at {name}?",
          "What happens if I forget to come to {name}?",
        ),
        de: fact(
          "Versäumte Termine",
          "Ein Termin, der ohne Absage versäumt wird, kostet {value} Euro. Absagen kann man bis zum Mittag des Vortags.",
          "Was kostet ein versäumter Termin in der Praxis {name}?",
          "Was passiert, wenn ich bei {name} nicht erscheine?",
        ),
        ja: fact(
          "無断欠席",
          "連絡なしに予約を欠席すると{value}ユーロかかります。前日の正午までにご連絡ください。",
          "{name}の予約を連絡なしに欠席するといくらですか。",
          "{name}に行くのを忘れたらどうなりますか。",
        ),
      },
    },
    {
      values: ["0", "1", "2", "3"],
      facts: {
        en: fact(
          "Wheelchairs",
          "The lift leads from the entrance to floor {value}, where all rooms are wide enough for wheelchairs.",
          "To which floor does the lift at {name} lead for wheelchairs?",
          "My mother cannot climb stairs: can she get into {name}?",
        ),
        de: fact(
          "Rollstühle",
          "Der Aufzug führt vom Eingang in Etage {value}, wo alle Räume breit genug für Rollstühle sind.",
          "In welche Etage führt der Aufzug der Praxis {name} für Rollstühle?",
          "Meine Mutter kann keine Treppen steigen: kommt sie bei {name} hinein?",
        ),
        ja: fact(
          "車椅子",
          "入口から{value}階までエレベーターがあり、すべての部屋に車椅子で入れます。",
          "{name}は車椅子で何階までエレベーターに乗れますか。",
          "母は階段を上れません。{name}に入れますか。",
        ),
      },
    },
  ],
  machine: [
    {
      values: ["24", "36", "48", "60"],
      facts: {
        en: fact(
          "Warranty",
          "The warranty lasts {value} months from the date of purchase. Wearing parts are excluded.",
          "How many months does the warranty of the {name} last?",
          "My {name} broke after a year: do I get a free repair?",
        ),
        de: fact(
          "Garantie",
          "Die Garantie gilt {value} Monate ab dem Kaufdatum. Verschleißteile sind ausgenommen.",
          "Wie viele Monate gilt die Garantie der {name}?",
          "Meine {name} ist nach einem Jahr kaputt: wird sie umsonst repariert?",
        ),
        ja: fact(
          "保証",
          "保証期間は購入日から{value}か月です。消耗部品は対象外です。",
          "{name}の保証期間は購入日から何か月ですか。",
          "{name}が一年で壊れました。無償で修理してもらえますか。",
        ),
      },
    },
    {
      values: ["7", "14", "21", "30"],
      facts: {
        en: fact(
          "Descaling",
          "Descale the machine every {value} days with citric acid. Never use vinegar, which attacks the seals.",
          "How often must the {name} be descaled?",
          "White crumbs come out of my {name}: how often should I clean it?",
        ),
        de: fact(
          "Entkalken",
          "Entkalken Sie das Gerät alle {value} Tage mit Zitronensäure. Essig greift die Dichtungen an.",
          "Wie oft muss die {name} entkalkt werden?",
          "Aus meiner {name} kommen weiße Krümel: wie oft sollte ich sie reinigen?",
        ),
        ja: fact(
          "湯あか取り",
          "{value}日ごとにクエン酸で湯あかを取ってください。酢はパッキンを傷めます。",
          "{name}の湯あかは何日ごとに取りますか。",
          "{name}から白い粉が出ます。どのくらいの頻度で掃除すればよいですか。",
        ),
      },
    },
    {
      values: ["1,200", "1,450", "1,600", "1,850"],
      facts: {
        en: fact(
          "Power",
          "The heater takes {value} watts from a socket of 230 volts. Do not use an extension lead.",
          "How many watts does the heater of the {name} take?",
          "How much electricity does the {name} use?",
        ),
        de: fact(
          "Leistung",
          "Die Heizung nimmt {value} Watt an einer Steckdose mit 230 Volt auf. Verwenden Sie kein Verlängerungskabel.",
          "Wie viel Watt nimmt die Heizung der {name} auf?",
          "Wie hoch ist der Stromverbrauch der {name}?",
        ),
        ja: fact(
          "電力",
          "ヒーターの消費電力は230ボルトで{value}ワットです。延長コードは使わないでください。",
          "{name}のヒーターの消費電力は何ワットですか。",
          "{name}は電気をどのくらい使いますか。",
        ),
      },
    },
    {
      values: ["E07", "E12", "E21", "E33"],
      facts: {
        en: fact(
          "Messages",
          "Error {value} says that the tank is not in place. Take it out, dry the contacts and put it back.",
          "What does error {value} of the {name} say?",
          "The display of my {name} shows {value}: what should I do?",
        ),
        de: fact(
          "Meldungen",
          "Der Fehler {value} bedeutet, dass der Tank nicht richtig sitzt. Nehmen Sie ihn heraus und trocknen Sie die Kontakte.",
          "Was bedeutet der Fehler {value} der {name}?",
          "Im Display meiner {name} steht {value}: was nun?",
        ),
        ja: fact(
          "エラー表示",
          "エラー{value}はタンクが正しく入っていないことを示します。取り外して接点を乾かしてください。",
          "{name}のエラー{value}は何を示しますか。",
          "{name}の画面に{value}と出ました。どうすればよいですか。",
        ),
      },
    },
  ],
};

/** Sentences around the facts, which mention the subjects of other facts. */
export const AROUND: Record<Language, readonly string[]> = {
  en: [
    "Our staff will be happy to help you with everything that is not written here.",
    "Prices include taxes and hold for the current year.",
    "Please ask at the desk about parking, breakfast and appointments for groups.",
    "We answer letters within a week and telephone calls at once.",
    "The rules were last changed in spring, after many of you had asked for it.",
    "You find the power socket, the lift and the entrance on the map.",
  ],
  de: [
    "Unsere Mitarbeiter helfen Ihnen gern bei allem, was hier nicht steht.",
    "Die Preise enthalten Steuern und gelten für das laufende Jahr.",
    "Bitte fragen Sie am Empfang nach Parken, Frühstück und Terminen für Gruppen.",
    "Wir beantworten Briefe innerhalb einer Woche und Anrufe sofort.",
    "Die Regeln wurden zuletzt im Frühjahr geändert, weil viele danach gefragt hatten.",
    "Steckdose, Aufzug und Eingang finden Sie auf dem Plan.",
  ],
  ja: [
    "ここに書かれていないことは、スタッフにお気軽にお尋ねください。",
    "価格は税込みで、今年中有効です。",
    "団体の駐車場、朝食、予約については受付にお尋ねください。",
    "お手紙には一週間以内に、お電話にはすぐにお答えします。",
    "多くのご要望を受けて、規則は春に改められました。",
    "電源、エレベーター、入口は地図に示してあります。",
  ],
};

/** The two parts from which names are made. Each part occurs in the names of many documents. */
export const NAMES: Record<Language, readonly [readonly string[], readonly string[]]> = {
  en: [
    ["Harrow", "Elm", "Carrick", "Dunmore", "Willow", "Ashby", "Kestrel", "Norwood", "Penrose"],
    ["Court", "Gate", "Bridge", "Field", "Hill", "Spring", "Lodge", "Corner"],
  ],
  de: [
    ["Linden", "Eichen", "Sonnen", "Berg", "Wald", "Rosen", "Stein", "Birken", "Falken"],
    ["hof", "tal", "blick", "au", "feld", "garten", "eck", "brunn"],
  ],
  ja: [
    ["さくら", "みどり", "あさひ", "ひかり", "もみじ", "つばめ", "しらゆり", "わかば", "こはる"],
    ["丘", "橋", "谷", "浜", "野", "泉", "森", "坂"],
  ],
};
