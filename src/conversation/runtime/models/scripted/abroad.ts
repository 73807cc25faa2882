/**
 * The scripted agent's words in languages other than English, by language subtag: callers' wishes, and its own replies.
 * Data only.
 */

/** The wishes of callers that the agent understands in these languages. */
export type IntentAbroad = "opt_out" | "not_interested" | "busy" | "bye" | "interested" | "who" | "thanks" | "yes";

export interface WordsAbroad {
  /** Patterns for the caller's words in lower case. The first match decides. */
  intents: Record<IntentAbroad, RegExp>;
  replies: Record<Exclude<IntentAbroad, "opt_out">, string>;
  /** The beginning of an answer from the agent's knowledge. */
  from: string;
  notUnderstood: string;
  optedOut: string;
  notOptedOut: string;
}

export const ABROAD: Record<string, WordsAbroad> = {
  de: {
    intents: {
      opt_out: /nicht mehr an(?:rufen)?\b|nie wieder an|von (?:ihrer|der) liste/u,
      not_interested: /kein interesse|nicht interessiert|^nein,? danke/u,
      busy: /keine zeit|ruf\S* (?:sie )?mich (?:morgen|später)|passt es (?:gerade )?nicht/u,
      bye: /auf wieder(?:hören|sehen)|tschüss/u,
      interested: /interessant|bin interessiert|klingt gut/u,
      who: /wer (?:ist da|sind sie|spricht)|worum geht/u,
      thanks: /danke/u,
      yes: /^(?:ja|gern|gut|in ordnung)/u,
    },
    replies: {
      not_interested: "Das ist in Ordnung. Vielen Dank für Ihre Zeit. Auf Wiederhören.",
      busy: "Ich verstehe. Jemand meldet sich ein anderes Mal bei Ihnen. Auf Wiederhören.",
      bye: "Vielen Dank und auf Wiederhören.",
      interested: "Wunderbar, ich habe notiert, dass Sie interessiert sind. Was möchten Sie noch wissen?",
      who: "Hier ist {agent}, ein digitaler Assistent. Was kann ich für Sie tun?",
      thanks: "Gern geschehen. Kann ich noch etwas für Sie tun?",
      yes: "Was möchten Sie wissen?",
    },
    from: "Dazu heißt es bei uns: {content}",
    notUnderstood: "Das habe ich leider nicht verstanden. Können Sie es anders sagen?",
    optedOut: "Ihre Nummer ist von unserer Liste gestrichen, und wir rufen Sie nicht mehr an. Auf Wiederhören.",
    notOptedOut: "Ich verstehe, aber ich konnte Ihre Nummer nicht von der Liste nehmen. Auf Wiederhören.",
  },
  fr: {
    intents: {
      opt_out: /m['’]appelez plus|de votre liste/u,
      not_interested: /ne m['’]intéresse pas|pas intéressée?|^non,? merci/u,
      busy: /pas le temps|rappelez-moi/u,
      bye: /au revoir/u,
      interested: /m['’]intéresse|intéressant/u,
      who: /qui (?:est|êtes)|c['’]est à quel sujet/u,
      thanks: /merci/u,
      yes: /^(?:oui|d['’]accord|bien)/u,
    },
    replies: {
      not_interested: "Je comprends. Merci pour votre temps. Au revoir.",
      busy: "Je comprends. Quelqu'un vous rappellera à un autre moment. Au revoir.",
      bye: "Merci et au revoir.",
      interested: "Parfait, j'ai noté votre intérêt. Que souhaitez-vous savoir d'autre ?",
      who: "Ici {agent}, un assistant numérique. Que puis-je faire pour vous ?",
      thanks: "Je vous en prie. Puis-je faire autre chose pour vous ?",
      yes: "Que souhaitez-vous savoir ?",
    },
    from: "Voici ce que je trouve : {content}",
    notUnderstood: "Je n'ai pas bien compris. Pouvez-vous le dire autrement ?",
    optedOut: "Votre numéro est retiré de notre liste, nous ne vous appellerons plus. Au revoir.",
    notOptedOut: "Je comprends, mais je n'ai pas pu retirer votre numéro de la liste. Au revoir.",
  },
  es: {
    intents: {
      opt_out: /no me llam\S+ más|de su lista|no me vuelvan? a llamar/u,
      not_interested: /no me interesa|no estoy interesad|^no,? gracias/u,
      busy: /no tengo tiempo|llámeme mañana/u,
      bye: /adiós|hasta luego/u,
      interested: /me interesa|interesante/u,
      who: /quién (?:es|habla)|de qué se trata/u,
      thanks: /gracias/u,
      yes: /^(?:sí|claro|de acuerdo|bien)/u,
    },
    replies: {
      not_interested: "Lo entiendo. Gracias por su tiempo. Adiós.",
      busy: "Entiendo. Alguien le llamará en otro momento. Adiós.",
      bye: "Muchas gracias y adiós.",
      interested: "Estupendo, he anotado su interés. ¿Qué más desea saber?",
      who: "Le habla {agent}, un asistente digital. ¿En qué puedo ayudarle?",
      thanks: "De nada. ¿Puedo ayudarle en algo más?",
      yes: "¿Qué desea saber?",
    },
    from: "Esto es lo que encuentro: {content}",
    notUnderstood: "No le he entendido bien. ¿Puede decirlo de otra manera?",
    optedOut: "Hemos quitado su número de nuestra lista y no volveremos a llamarle. Adiós.",
    notOptedOut: "Lo entiendo, pero no he podido quitar su número de la lista. Adiós.",
  },
  hi: {
    intents: {
      opt_out: /दोबारा फ़ोन मत|फिर (?:कभी )?फ़ोन मत|फ़ोन मत कीजिए/u,
      not_interested: /दिलचस्पी नहीं/u,
      busy: /समय नहीं|कल फ़ोन/u,
      bye: /नमस्ते|अलविदा/u,
      interested: /दिलचस्पी है/u,
      who: /कौन बोल|आप कौन/u,
      thanks: /धन्यवाद|शुक्रिया/u,
      yes: /^(?:हाँ|हां|जी|ठीक)/u,
    },
    replies: {
      not_interested: "ठीक है। आपके समय के लिए धन्यवाद। नमस्ते।",
      busy: "ठीक है, हम आपको किसी और समय फ़ोन करेंगे। नमस्ते।",
      bye: "बहुत धन्यवाद, नमस्ते।",
      interested: "बहुत अच्छा, मैंने आपकी दिलचस्पी लिख ली है। आप और क्या जानना चाहेंगे?",
      who: "यह {agent} है, एक डिजिटल सहायक। मैं आपकी क्या मदद करूँ?",
      thanks: "आपका स्वागत है। क्या मैं कुछ और मदद करूँ?",
      yes: "आप क्या जानना चाहेंगे?",
    },
    from: "हमारी जानकारी के अनुसार: {content}",
    notUnderstood: "माफ़ कीजिए, बात ठीक से समझ में नहीं आई। क्या आप इसे दूसरी तरह कह सकते हैं?",
    optedOut: "आपका नंबर हमारी सूची से हटा दिया गया है। हम आपको दोबारा फ़ोन नहीं करेंगे। नमस्ते।",
    notOptedOut: "माफ़ कीजिए, आपका नंबर सूची से हटाया नहीं जा सका। नमस्ते।",
  },
  tr: {
    intents: {
      opt_out: /(?:bir daha|artık) (?:beni )?arama|listenizden/u,
      not_interested: /ilgilenmiyorum|istemiyorum|^hayır,? teşekkür/u,
      busy: /vaktim yok|yarın (?:tekrar )?arayın|müsait değilim/u,
      bye: /hoşça ?kalın|görüşürüz|iyi günler/u,
      interested: /ilgimi çek|ilgileniyorum/u,
      who: /kimsiniz|kim (?:arıyor|o)/u,
      thanks: /teşekkür|sağ ?olun/u,
      yes: /^(?:evet|tamam|olur)/u,
    },
    replies: {
      not_interested: "Anlıyorum. Zaman ayırdığınız için teşekkür ederim. Hoşça kalın.",
      busy: "Anlıyorum. Sizi başka bir zaman arayacağız. Hoşça kalın.",
      bye: "Teşekkür ederim, hoşça kalın.",
      interested: "Harika, ilgilendiğinizi not ettim. Başka ne öğrenmek istersiniz?",
      who: "Ben {agent}, dijital bir asistanım. Size nasıl yardımcı olabilirim?",
      thanks: "Rica ederim. Başka bir konuda yardımcı olabilir miyim?",
      yes: "Ne öğrenmek istersiniz?",
    },
    from: "Bulduğum bilgi şöyle: {content}",
    notUnderstood: "Üzgünüm, tam anlayamadım. Başka türlü söyler misiniz?",
    optedOut: "Numaranız listemizden çıkarıldı, sizi bir daha aramayacağız. Hoşça kalın.",
    notOptedOut: "Anlıyorum, ancak numaranızı listeden çıkaramadım. Hoşça kalın.",
  },
};
