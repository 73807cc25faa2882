import { wordsOf } from "./words.ts";

/**
 * Function words of the languages with built-in sentences, and of Turkish, Japanese and Chinese. In a small set of
 * documents few passages contain them, so word counts alone would treat them as a question's rarest words. Words that
 * name a thing in another of these languages are left out: "hat", "war", "son", "dos", "may", "will".
 */
const LISTS = [
  // English
  "a an and are as at be been but by can cannot could did do does for from get got had has have he her him his how i if in into " +
    "is it its just many me much my no not of on or our please shall she should so some than that the their them then there these " +
    "they this those to too was we were what when where which who whom why with would you your",
  // German
  "ab aber alle als am auch auf aus bei bis da damit dann darf das dass dein dem den denn der des dich die dies diese " +
    "dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas für gibt habe haben hier ich ihr ihre ihrem " +
    "ihren ihrer im ist ja kann kein keine können mein meine meinem meinen meiner mich mir mit muss nach nicht noch nun nur ob oder " +
    "ohne sehr sein seine sie sind über um und uns unser unsere unter viel viele vom von vor wann warum welche welcher " +
    "welches wenn wer werden wie wieder wieviel wir wird wo wollen würde zu zum zur",
  // Spanish, French, Italian and Portuguese
  "al como con cuál cuáles cuándo cuánto cuánta de del desde dónde el ella ellos en es esta está este esto hay la las le les lo los " +
    "mi mis muy nos o para pero por porque puede puedo que qué quién se ser si sobre su sus te tiene tengo tu un una unos y ya yo",
  "à au aux avec ce ces cette comment dans du elle est et être il ils je leur ma mes moi mon ne notre nous ou où peut peux " +
    "quand quel quelle quels quelles qui sans ses sont sur ta tes toi une votre vos vous",
  "ad ai alla anche che chi ci cosa dal dalla dei della di dove e è essere gli ha ho io mia mio nel nella noi non per perché più " +
    "posso può qual quale quali quando quanto quanta sua suo ti tra uno vi",
  "ao aos às com da das ela ele em entre essa eu foi há isso já lhe meu minha muito na não nas nós onde os pela pelo quais " +
    "quem sem seu são também tem um uma você",
  // Dutch and Polish
  "af bij dan dat deze dit doen door een er geen heb hebben heeft het hij hoe hoeveel ik je jij jullie kunnen maar met mij mijn " +
    "naar niet nog ons onze ook op te u uit uw veel voor waar waarom wanneer wat welke wie wij worden wordt zal ze zich zij " +
    "zijn zo zou",
  "bez być był była co czy dla gdy gdzie ich ile jak jaka jaki jakie jest jestem już kiedy kto który która które lub mam mnie " +
    "mogę można nad nas nie od ona oni po przez przy się są tak tam tego ty w wy z za że",
  // Turkish
  "acaba ama bana ben bir bu daha diye gibi için ile ise kaç kadar mı mu mü nasıl neden nerede olarak olan siz şu var ve " +
    "veya yok",
  // Japanese and Chinese, as they are segmented
  "の は が を に で と も へ や か から まで より です ます ませ まし でし た て ない ある いる する し 何 いくら いつ どこ どう どの くらい " +
    "こと これ その ください れ られ たい たら よ ね",
  "的 了 是 在 我 你 您 他 她 们 我们 你们 吗 呢 吧 什么 怎么 多少 哪里 几 和 也 都 就 不 有 这 那 请 可以 能 要 会",
];

const COMMON = new Set(LISTS.flatMap(wordsOf));

/** Returns the words to search for: those that say what the question is about, or all if none do. */
export function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !COMMON.has(word));
  return telling.length > 0 ? telling : words;
}
