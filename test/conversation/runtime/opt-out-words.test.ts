import { describe, expect, it } from "vitest";
import { BUILT_IN_LANGUAGES } from "../../../src/agent/speech/sentences.ts";
import { asksToOptOut } from "../../../src/conversation/runtime/opt-out-words.ts";
import { LINES_ABROAD } from "../../../src/phone/carriers/sandbox-people-abroad.ts";

describe("words that ask for no more calls", () => {
  it.each([
    "Stop calling me!",
    "Please, just stop calling me.",
    "Can you stop calling here",
    "Quit calling this number.",
    "stop calling",
    "Don't call me again.",
    "Do not ever contact us again",
    "Don’t call me anymore",
    "Please don't call me.",
    "Never call this number again.",
    "No more calls, please.",
    "I don't want you to call me anymore",
    "I do not want to be called again",
    "I don't want any more calls",
    "Take me off your list.",
    "Could you take my number off your calling list?",
    "I want to be taken... get me off the list",
    "Remove me from your list please",
    "remove my number",
    "Please delete my phone number",
    "Put me on your do-not-call list",
    "Add this number to the do not call registry.",
    "I'd like to unsubscribe",
    "unsubscribe",
    "I want to opt out",
    "opt me out of these calls",
    "Stop texting me.",
    "I told you before, stop calling my house or I will sue",
  ])("an opt-out is found in: %s", (words) => {
    expect(asksToOptOut(words)).toBe(true);
  });

  it.each([
    "Call me back tomorrow.",
    "Please don't call me before nine.",
    "Don't call me at work, call my cell.",
    "Please stop calling me so late.",
    "Don't call me Bob.",
    "Stop calling me names.",
    "I don't want you to stop calling me.",
    "Why is it called the A list?",
    "Take the eggs off the list.",
    "Is there anything off the list price?",
    "Can I opt out of paper billing?",
    "How do I unsubscribe from your newsletter?",
    "Remove me from the account, add my wife.",
    "No more calls today, tomorrow is fine.",
    "I was calling about my order.",
    "",
  ])("no opt-out is found in: %s", (words) => {
    expect(asksToOptOut(words)).toBe(false);
  });

  it("an opt-out is found under any tag of its language", () => {
    expect(asksToOptOut("Stop calling me", "en-GB")).toBe(true);
  });

  it("an English opt-out is found in the middle of another language", () => {
    expect(asksToOptOut("Nein, stop calling me!", "de-DE")).toBe(true);
  });

  it("opt-outs are searched in a turn of any length without delay", () => {
    expect(asksToOptOut(`stop calling me ${"do not never ".repeat(20_000)}`)).toBe(true);
    expect(asksToOptOut("please do not want to call list off your ".repeat(5_000))).toBe(false);
  });
});

describe("opt-outs in other languages", () => {
  const ASKED: Record<string, string[]> = {
    de: ["Rufen Sie mich bitte nicht mehr an!", "Nehmen Sie mich von Ihrer Liste.", "Ich will keine Anrufe mehr."],
    es: ["No me llame más, por favor.", "Bórreme de su lista.", "Deje de llamarme."],
    fr: ["Ne m'appelez plus !", "Retirez-moi de votre liste, s'il vous plaît.", "Je ne veux plus être appelé."],
    it: ["Non mi chiami più.", "Cancellatemi dalla vostra lista.", "Non voglio più ricevere telefonate."],
    nl: ["Bel me niet meer.", "Haal me van uw lijst.", "Ik wil niet meer gebeld worden."],
    pl: ["Proszę do mnie więcej nie dzwonić.", "Proszę usunąć mój numer.", "Proszę mnie skreślić z listy."],
    pt: ["Não me ligue mais.", "Tire-me da sua lista.", "Não quero receber mais chamadas."],
    hi: [
      "कृपया मुझे दोबारा फ़ोन मत कीजिए।",
      "मुझे फोन मत करो!",
      "अब कभी कॉल मत करना।",
      "फ़ोन करना बंद कीजिए।",
      "मुझे अपनी लिस्ट से हटा दीजिए।",
      "मेरा नंबर अपनी सूची से हटा दें।",
    ],
    tr: [
      "Beni bir daha aramayın, lütfen.",
      "Artık aramayın!",
      "BİR DAHA ARAMAYIN",
      "Aramayı bırakın.",
      "Numaramı listenizden çıkarın.",
      "Artık aranmak istemiyorum.",
    ],
  };
  const OTHERWISE: Record<string, string[]> = {
    de: ["Rufen Sie mich nicht vor neun Uhr an.", "Rufen Sie mich heute nicht mehr an, morgen passt es besser."],
    es: ["No me llame antes de las nueve.", "No tengo más tiempo."],
    fr: ["Ne m'appelez pas avant neuf heures.", "Je n'ai plus le temps."],
    it: ["Non mi chiami prima delle nove.", "Non ho più tempo."],
    nl: ["Bel me niet voor negen uur.", "Ik heb geen tijd meer."],
    pl: ["Proszę nie dzwonić przed dziewiątą.", "Nie mam już czasu."],
    pt: ["Não me ligue antes das nove.", "Não tenho mais tempo."],
    hi: ["सुबह मुझे फ़ोन मत कीजिए।", "अभी मेरे पास समय नहीं है। कृपया कल फ़ोन कीजिए।", "मुझे दिलचस्पी नहीं है।"],
    tr: ["Saat dokuzdan önce aramayın.", "Akşam beni aramayın.", "Şu an vaktim yok. Lütfen yarın tekrar arayın."],
  };
  const each = (texts: Record<string, string[]>) =>
    Object.entries(texts).flatMap(([language, all]) => all.map((words) => [language, words] as const));

  it("exist in every language with built-in sentences or with people in the sandbox", () => {
    const languages = new Set([...BUILT_IN_LANGUAGES, ...Object.keys(LINES_ABROAD)]);
    expect(["en", ...Object.keys(ASKED)].sort()).toEqual([...languages].sort());
  });

  it.each(Object.entries(LINES_ABROAD))("the opt-outs of the sandbox's people are found in %s", (language, lines) => {
    expect(asksToOptOut(lines.optsOut, language)).toBe(true);
    const others = [...lines.interested, ...lines.notInterested, ...lines.later];
    expect(others.filter((words) => asksToOptOut(words, language))).toEqual([]);
  });

  it.each(each(ASKED))("an opt-out is found in %s: %s", (language, words) => {
    expect(asksToOptOut(words, language)).toBe(true);
    expect(asksToOptOut(words, "en-US")).toBe(false);
  });

  it.each(each(OTHERWISE))("no opt-out is found in %s: %s", (language, words) => {
    expect(asksToOptOut(words, language)).toBe(false);
  });

  it.each(Object.keys(ASKED))("opt-outs are searched without delay in a long turn in %s", (language) => {
    expect(asksToOptOut("nicht mehr an no me llam non mi chiam bel me nie dzwon ".repeat(5_000), language)).toBe(false);
  });
});
