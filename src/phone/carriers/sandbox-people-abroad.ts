/**
 * The lines of callers of one language: three callers chosen by their number, and one who asks not to be called again.
 */
export interface LinesAbroad {
  interested: readonly string[];
  notInterested: readonly string[];
  later: readonly string[];
  optsOut: string;
}

/** The simulated callers of languages other than English, by subtag. */
export const LINES_ABROAD: Record<string, LinesAbroad> = {
  de: people(
    ["Ja, gerade passt es gut. Das klingt interessant.", "Wann haben Sie geöffnet?", "Vielen Dank, auf Wiederhören."],
    ["Nein danke, ich habe kein Interesse. Auf Wiederhören."],
    ["Ich habe gerade keine Zeit. Bitte rufen Sie mich morgen noch einmal an.", "Danke, auf Wiederhören."],
    "Rufen Sie mich bitte nicht mehr an, und nehmen Sie mich von Ihrer Liste.",
  ),
  fr: people(
    ["Oui, je vous écoute. Ça m'intéresse.", "Quels sont vos horaires d'ouverture ?", "Merci beaucoup, au revoir."],
    ["Non merci, ça ne m'intéresse pas. Au revoir."],
    ["Je n'ai pas le temps maintenant. Rappelez-moi demain, s'il vous plaît.", "Merci, au revoir."],
    "Ne m'appelez plus, et retirez-moi de votre liste.",
  ),
  es: people(
    ["Sí, ahora me viene bien. Me interesa.", "¿Qué horario tienen?", "Muchas gracias, adiós."],
    ["No, gracias, no me interesa. Adiós."],
    ["Ahora no tengo tiempo. Llámeme mañana, por favor.", "Gracias, adiós."],
    "No me llame más, y bórreme de su lista.",
  ),
  hi: people(
    ["हाँ, अभी बात कर सकते हैं। मुझे इसमें दिलचस्पी है।", "आप कब खुले रहते हैं?", "बहुत धन्यवाद, नमस्ते।"],
    ["नहीं, मुझे दिलचस्पी नहीं है। नमस्ते।"],
    ["अभी मेरे पास समय नहीं है। कृपया कल फ़ोन कीजिए।", "धन्यवाद, नमस्ते।"],
    "कृपया मुझे दोबारा फ़ोन मत कीजिए।",
  ),
  tr: people(
    ["Evet, şu an uygunum. İlgimi çekti.", "Çalışma saatleriniz nedir?", "Çok teşekkür ederim, hoşça kalın."],
    ["Hayır, ilgilenmiyorum. Hoşça kalın."],
    ["Şu an vaktim yok. Lütfen yarın tekrar arayın.", "Teşekkürler, hoşça kalın."],
    "Beni bir daha aramayın, lütfen.",
  ),
};

function people(
  interested: readonly string[],
  notInterested: readonly string[],
  later: readonly string[],
  optsOut: string,
): LinesAbroad {
  return { interested, notInterested, later, optsOut };
}
