import { subtagOf } from "../speech/language.ts";

/**
 * The sentence of a preview, by language. It covers all languages of Cartesia and ElevenLabs, which include Deepgram's.
 */
const SENTENCES: Record<string, string> = {
  ar: "مرحبًا، كيف يمكنني مساعدتك اليوم؟",
  bg: "Здравейте, как мога да ви помогна днес?",
  bn: "নমস্কার, আজ আমি আপনাকে কীভাবে সাহায্য করতে পারি?",
  cs: "Dobrý den, jak vám mohu dnes pomoci?",
  da: "Goddag, hvordan kan jeg hjælpe dig i dag?",
  de: "Guten Tag, wie kann ich Ihnen heute helfen?",
  el: "Γεια σας, πώς μπορώ να σας βοηθήσω σήμερα;",
  en: "Hello, how can I help you today?",
  es: "Hola, ¿en qué puedo ayudarle hoy?",
  fi: "Hei, kuinka voin auttaa teitä tänään?",
  fil: "Kumusta po, paano ko po kayo matutulungan ngayon?",
  fr: "Bonjour, comment puis-je vous aider aujourd'hui ?",
  gu: "નમસ્તે, આજે હું તમને કેવી રીતે મદદ કરી શકું?",
  he: "שלום, איך אפשר לעזור לכם היום?",
  hi: "नमस्ते, आज मैं आपकी क्या मदद कर सकती हूँ?",
  hr: "Dobar dan, kako vam danas mogu pomoći?",
  hu: "Jó napot kívánok, miben segíthetek ma?",
  id: "Halo, ada yang bisa saya bantu hari ini?",
  it: "Buongiorno, come posso aiutarla oggi?",
  ja: "こんにちは。本日はどのようなご用件でしょうか。",
  ka: "გამარჯობა, რით შემიძლია დაგეხმაროთ დღეს?",
  kn: "ನಮಸ್ಕಾರ, ಇಂದು ನಾನು ನಿಮಗೆ ಹೇಗೆ ಸಹಾಯ ಮಾಡಲಿ?",
  ko: "안녕하세요, 오늘 무엇을 도와드릴까요?",
  ml: "നമസ്കാരം, ഇന്ന് ഞാൻ നിങ്ങളെ എങ്ങനെ സഹായിക്കണം?",
  mr: "नमस्कार, आज मी तुम्हाला कशी मदत करू?",
  ms: "Helo, apa yang boleh saya bantu hari ini?",
  nl: "Goedendag, hoe kan ik u vandaag helpen?",
  no: "Hei, hvordan kan jeg hjelpe deg i dag?",
  pa: "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਅੱਜ ਮੈਂ ਤੁਹਾਡੀ ਕੀ ਮਦਦ ਕਰਾਂ?",
  pl: "Dzień dobry, w czym mogę dziś pomóc?",
  pt: "Olá, como posso ajudar hoje?",
  ro: "Bună ziua, cu ce vă pot ajuta astăzi?",
  ru: "Здравствуйте, чем я могу вам помочь?",
  sk: "Dobrý deň, ako vám môžem dnes pomôcť?",
  sv: "Hej, hur kan jag hjälpa dig i dag?",
  ta: "வணக்கம், இன்று நான் உங்களுக்கு எப்படி உதவலாம்?",
  te: "నమస్కారం, ఈ రోజు నేను మీకు ఎలా సహాయం చేయగలను?",
  th: "สวัสดีค่ะ วันนี้มีอะไรให้ช่วยไหมคะ",
  tr: "Merhaba, bugün size nasıl yardımcı olabilirim?",
  uk: "Добрий день, чим я можу вам допомогти?",
  vi: "Xin chào, hôm nay tôi có thể giúp gì cho quý vị?",
  zh: "您好，请问有什么可以帮您？",
};

const ALIASES: Record<string, string> = { nb: "no", nn: "no", tl: "fil", cmn: "zh" };

export function previewSentence(language: string): string | undefined {
  const subtag = subtagOf(language);
  return SENTENCES[ALIASES[subtag] ?? subtag];
}
