import type { Phrases } from "../../kernel/db/schema/index.ts";
import { subtagOf } from "./language.ts";

/** The sentences that the service itself makes an agent say, by their use. An agent's phrases replace them. */
export type Sentences = Record<keyof Phrases, string>;

/** Other built-in sentences: the disclosure, and what callers hear if no agent can take the call. */
interface OtherSentences {
  disclosure: string;
  not_in_service: string;
  takes_no_calls: string;
  nobody_available: string;
  lines_busy: string;
}

/* Each language has all sentences. They are spoken: short, polite, and without forms that depend on anyone's gender. */
const BUILT_IN = {
  en: {
    silence: "Are you still there?",
    apology: "I am sorry, something went wrong on our side. Please try again later.",
    goodbye: "I cannot hear you, so I will end the call. Goodbye.",
    filler: "One moment, please.",
    budget: "I am sorry, I cannot continue this conversation right now. Please try again later.",
    unavailable: "I am sorry, I cannot help you any further myself. I am connecting you to somebody who can.",
    no_answer: "I am sorry, I could not find that out.",
    filtered: "I am sorry, I cannot talk about that.",
    resumed: "Sorry, the line dropped for a moment. I am back.",
    time_up: "I am sorry, we have reached the end of our time. Goodbye.",
    disclosure: "You are talking to an AI assistant.",
    not_in_service: "This number is not in service.",
    takes_no_calls: "This number does not take calls.",
    nobody_available: "Nobody is available to take your call. Please try again later.",
    lines_busy: "All lines are busy. Please try again later.",
  },
  de: {
    silence: "Sind Sie noch da?",
    apology: "Es tut mir leid, bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später noch einmal.",
    goodbye: "Ich höre Sie leider nicht, deshalb beende ich das Gespräch. Auf Wiederhören.",
    filler: "Einen Moment, bitte.",
    budget:
      "Es tut mir leid, ich kann das Gespräch gerade nicht fortsetzen. Bitte versuchen Sie es später noch einmal.",
    unavailable: "Leider kann ich Ihnen selbst nicht weiterhelfen. Ich verbinde Sie mit jemandem, der es kann.",
    no_answer: "Das konnte ich leider nicht herausfinden.",
    filtered: "Darüber kann ich leider nicht sprechen.",
    resumed: "Entschuldigung, die Verbindung war kurz weg. Ich bin wieder da.",
    time_up: "Leider ist unsere Zeit um. Auf Wiederhören.",
    disclosure: "Sie sprechen mit einem KI-Assistenten.",
    not_in_service: "Kein Anschluss unter dieser Nummer.",
    takes_no_calls: "Diese Nummer nimmt keine Anrufe entgegen.",
    nobody_available: "Zurzeit kann niemand Ihren Anruf entgegennehmen. Bitte versuchen Sie es später noch einmal.",
    lines_busy: "Zurzeit sind alle Leitungen belegt. Bitte versuchen Sie es später noch einmal.",
  },
  es: {
    silence: "¿Sigue usted ahí?",
    apology: "Lo siento, ha habido un problema por nuestra parte. Por favor, inténtelo de nuevo más tarde.",
    goodbye: "No se oye nada, así que voy a terminar la llamada. Adiós.",
    filler: "Un momento, por favor.",
    budget: "Lo siento, ahora mismo no puedo continuar con esta conversación. Por favor, inténtelo más tarde.",
    unavailable: "Lo siento, yo no puedo ayudarle más. Le paso con alguien que sí puede.",
    no_answer: "Lo siento, no he podido averiguarlo.",
    filtered: "Lo siento, no puedo hablar de eso.",
    resumed: "Perdone, la línea se ha cortado un momento. Ya estoy aquí de nuevo.",
    time_up: "Lo siento, se nos ha acabado el tiempo. Adiós.",
    disclosure: "Está hablando con un asistente de inteligencia artificial.",
    not_in_service: "Este número no está en servicio.",
    takes_no_calls: "Este número no recibe llamadas.",
    nobody_available: "En este momento nadie puede atender su llamada. Por favor, inténtelo más tarde.",
    lines_busy: "Todas las líneas están ocupadas. Por favor, inténtelo más tarde.",
  },
  fr: {
    silence: "Êtes-vous toujours là ?",
    apology: "Toutes mes excuses, un problème est survenu de notre côté. Merci de réessayer plus tard.",
    goodbye: "Je ne vous entends pas, je vais donc mettre fin à l'appel. Au revoir.",
    filler: "Un instant, s'il vous plaît.",
    budget:
      "Toutes mes excuses, je ne peux pas poursuivre cette conversation pour le moment. Merci de réessayer plus tard.",
    unavailable: "Malheureusement, je ne peux pas vous aider davantage. Je vous passe quelqu'un qui pourra le faire.",
    no_answer: "Malheureusement, je n'ai pas trouvé la réponse.",
    filtered: "Malheureusement, je ne peux pas parler de cela.",
    resumed: "Excusez-moi, la ligne a été coupée un instant. Me revoilà.",
    time_up: "Malheureusement, le temps prévu est écoulé. Au revoir.",
    disclosure: "Vous parlez à une intelligence artificielle.",
    not_in_service: "Ce numéro n'est pas en service.",
    takes_no_calls: "Ce numéro ne reçoit pas d'appels.",
    nobody_available: "Personne n'est disponible pour prendre votre appel. Merci de réessayer plus tard.",
    lines_busy: "Toutes les lignes sont occupées. Merci de réessayer plus tard.",
  },
  it: {
    silence: "È ancora in linea?",
    apology: "Mi dispiace, c'è stato un problema da parte nostra. La prego di riprovare più tardi.",
    goodbye: "Non la sento, quindi chiudo la chiamata. Arrivederci.",
    filler: "Un attimo, per favore.",
    budget: "Mi dispiace, al momento non posso proseguire questa conversazione. La prego di riprovare più tardi.",
    unavailable: "Mi dispiace, io non posso aiutarla oltre. Le passo qualcuno che può farlo.",
    no_answer: "Mi dispiace, non ho trovato una risposta.",
    filtered: "Mi dispiace, di questo non posso parlare.",
    resumed: "Mi scusi, la linea è caduta per un momento. Eccomi di nuovo.",
    time_up: "Mi dispiace, il nostro tempo è finito. Arrivederci.",
    disclosure: "Sta parlando con un assistente di intelligenza artificiale.",
    not_in_service: "Questo numero non è attivo.",
    takes_no_calls: "Questo numero non riceve chiamate.",
    nobody_available: "Al momento nessuno può rispondere alla sua chiamata. La prego di riprovare più tardi.",
    lines_busy: "Tutte le linee sono occupate. La prego di riprovare più tardi.",
  },
  nl: {
    silence: "Bent u er nog?",
    apology: "Het spijt me, er is bij ons iets misgegaan. Probeert u het later nog eens.",
    goodbye: "Ik hoor u niet, dus ik beëindig het gesprek. Tot horens.",
    filler: "Een ogenblik, alstublieft.",
    budget: "Het spijt me, ik kan dit gesprek nu niet voortzetten. Probeert u het later nog eens.",
    unavailable: "Het spijt me, ik kan u zelf niet verder helpen. Ik verbind u door met iemand die dat wel kan.",
    no_answer: "Het spijt me, dat heb ik niet kunnen vinden.",
    filtered: "Het spijt me, daar kan ik niet over praten.",
    resumed: "Excuses, de verbinding viel even weg. Ik ben er weer.",
    time_up: "Het spijt me, onze tijd is om. Tot horens.",
    disclosure: "U spreekt met een AI-assistent.",
    not_in_service: "Dit nummer is niet in gebruik.",
    takes_no_calls: "Dit nummer neemt geen oproepen aan.",
    nobody_available: "Er is nu niemand die uw oproep kan aannemen. Probeert u het later nog eens.",
    lines_busy: "Alle lijnen zijn bezet. Probeert u het later nog eens.",
  },
  pl: {
    silence: "Halo, czy nadal się słyszymy?",
    apology: "Przepraszam, po naszej stronie coś poszło nie tak. Proszę spróbować ponownie później.",
    goodbye: "Nic nie słyszę, więc zakończę rozmowę. Do usłyszenia.",
    filler: "Chwileczkę, proszę.",
    budget: "Przepraszam, nie mogę teraz kontynuować tej rozmowy. Proszę spróbować ponownie później.",
    unavailable: "Niestety nie mogę już w tym pomóc. Łączę z osobą, która będzie mogła pomóc.",
    no_answer: "Niestety nie udało mi się tego ustalić.",
    filtered: "Niestety nie mogę o tym rozmawiać.",
    resumed: "Przepraszam, na chwilę zerwało się połączenie. Już jestem z powrotem.",
    time_up: "Niestety nasz czas dobiegł końca. Do usłyszenia.",
    disclosure: "Tę rozmowę prowadzi asystent oparty na sztucznej inteligencji.",
    not_in_service: "Ten numer jest nieaktywny.",
    takes_no_calls: "Ten numer nie przyjmuje połączeń.",
    nobody_available: "Nikt nie może teraz odebrać połączenia. Proszę spróbować ponownie później.",
    lines_busy: "Wszystkie linie są zajęte. Proszę spróbować ponownie później.",
  },
  pt: {
    silence: "Ainda está aí?",
    apology: "Lamento, houve um problema do nosso lado. Por favor, tente novamente mais tarde.",
    goodbye: "Não consigo ouvir nada, por isso vou encerrar a chamada. Até logo.",
    filler: "Um momento, por favor.",
    budget: "Lamento, não posso continuar esta conversa agora. Por favor, tente novamente mais tarde.",
    unavailable: "Lamento, não consigo ajudar mais. Vou transferir a chamada para alguém que pode.",
    no_answer: "Lamento, não consegui encontrar essa informação.",
    filtered: "Lamento, não posso falar sobre isso.",
    resumed: "Desculpe, a ligação caiu por um momento. Já estou de volta.",
    time_up: "Lamento, o nosso tempo acabou. Até logo.",
    disclosure: "Esta conversa é com um assistente de inteligência artificial.",
    not_in_service: "Este número não está em serviço.",
    takes_no_calls: "Este número não recebe chamadas.",
    nobody_available: "Neste momento ninguém pode atender a sua chamada. Por favor, tente novamente mais tarde.",
    lines_busy: "Todas as linhas estão ocupadas. Por favor, tente novamente mais tarde.",
  },
} satisfies Record<string, Sentences & OtherSentences>;

/** The languages with built-in sentences, by subtag. */
export const BUILT_IN_LANGUAGES: readonly string[] = Object.keys(BUILT_IN);

/** Returns the built-in sentences of a language (BCP 47), or the English ones if it has none. */
export function builtInSentences(language: string): Sentences & OtherSentences {
  return Object.entries(BUILT_IN).find(([known]) => known === subtagOf(language))?.[1] ?? BUILT_IN.en;
}

/**
 * Returns one built-in sentence in the language, or in English if it has none, with the sentence's language (BCP 47).
 */
export function builtInSentence(use: keyof OtherSentences, language: string): { text: string; language: string } {
  const hasOwn = BUILT_IN_LANGUAGES.includes(subtagOf(language));
  return { text: builtInSentences(language)[use], language: hasOwn ? language : "en" };
}

/** The settings that determine an agent's sentences. */
export interface Speaking {
  /** The language in which the phrases are written. */
  language: string;
  phrases: Phrases;
}

/**
 * Returns the sentences of an agent while it speaks `spoken`: its own phrases in its own language, otherwise the
 * built-in ones of that language, otherwise the English ones.
 */
export function sentencesOf({ language, phrases }: Speaking, spoken: string = language): Sentences {
  const builtIn = builtInSentences(spoken);
  if (subtagOf(spoken) !== subtagOf(language)) return builtIn;
  return Object.assign({}, builtIn, ownPhrases(phrases));
}

/** Returns the phrases that are not empty, by their use. A rendered phrase may be empty. */
export function ownPhrases(phrases: Phrases): Record<string, string> {
  const own = Object.entries(phrases).flatMap(([use, sentence]) =>
    sentence?.trim() ? [[use, sentence] as const] : [],
  );
  return Object.fromEntries(own);
}

/** Returns the agent's languages in which callers would hear an English sentence, so that the plan can warn. */
export function languagesWithoutPhrases(agent: Speaking & { languages: readonly string[] }): string[] {
  const hasAll = Object.values(agent.phrases).every((sentence) => sentence !== null);
  return [agent.language, ...agent.languages].filter((tag) => {
    const isOwn = subtagOf(tag) === subtagOf(agent.language);
    return !BUILT_IN_LANGUAGES.includes(subtagOf(tag)) && !(isOwn && hasAll);
  });
}
