/*
 * How callers ask in languages other than English not to be called again, by language subtag (BCP 47). The patterns match
 * the words of a turn in lower case, without accents, apostrophes and marks. `but` excludes requests for a call at
 * another time.
 */

interface OptOutWords {
  asks: readonly string[];
  /** Words that ask for a call at another time, which is not an opt-out. */
  but: string;
}

export const OTHER_LANGUAGES: Record<string, OptOutWords> = {
  de: {
    asks: [
      "ruf(?:en|t)?(?: sie)?(?: bitte)? (?:mich|uns|hier|diese nummer|bei (?:mir|uns))(?: bitte)? (?:nie|nicht)(?: \\S+)? ?(?:mehr|wieder|nochmal|noch einmal)",
      "(?:nie|nicht) (?:wieder|mehr) (?:anrufen|anzurufen|angerufen werden|kontaktiert werden)",
      "(?:mochte|will|wunsche|wollen|mochten) (?:\\S+ ){0,2}(?:nicht|keine)(?: mehr| langer| weiteren?)* (?:angerufen|kontaktiert|belastigt|anrufe)",
      "keine (?:weiteren )?anrufe mehr",
      "(?:hor|horen sie|hort)(?: bitte| endlich)* auf (?:mich|uns|hier) (?:anzurufen|zu belastigen)",
      "(?:streich|losch|entfern|nehm|nimm)\\S*(?: sie)?(?: bitte)? (?:mich|uns|meine (?:telefon)?nummer|diese nummer|meinen namen)(?: bitte| sofort)* (?:aus|von) (?:\\S+ ){0,2}(?:liste|listen|datenbank|kartei|verteiler|system)",
      "(?:losch|entfern)\\S*(?: sie)?(?: bitte)? meine (?:telefon)?nummer",
    ],
    but: "(?:heute|morgen|jetzt|vor|nach|bis|wahrend|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende|morgen|abend)|um|so (?:fruh|spat)|an (?:heute|morgen))",
  },
  es: {
    asks: [
      "no (?:me|nos) (?:vuelva|vuelvan|vuelvas) a (?:llamar|molestar|contactar)",
      "no (?:me|nos) (?:llame|llamen|llames|contacten|contacte|molesten|moleste)(?: por favor)?(?: nunca)? mas",
      "no (?:llame|llamen|llames) mas",
      "(?:deje|dejen|deja|pare|paren) de (?:llamar|molestar|acosar)(?:me|nos)?",
      "no (?:quiero|deseo|queremos) (?:que (?:me|nos) (?:llam|vuelv)\\S+|recibir (?:\\S+ )?llamadas|mas llamadas|sus llamadas)",
      "(?:borre|borren|elimine|eliminen|quite|quiten|saque|saquen|tache)(?:me|nos)? (?:mi (?:numero|nombre|telefono) )?de (?:\\S+ )?(?:lista|listas|base)",
      "(?:borre|borren|elimine|eliminen|quite|quiten) mi (?:numero|telefono)",
    ],
    but: "(?:hoy|manana|ahora|antes|despues|hasta|por la (?:manana|tarde|noche)|el (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)|tan (?:temprano|tarde))",
  },
  fr: {
    asks: [
      "(?:mappelez|mappelle|nous appelez|me rappelez|me telephonez|me contactez|me derangez|rappelez) (?:plus|jamais plus)",
      "(?:arretez|arrete|cessez) de (?:mappeler|nous appeler|me (?:rappeler|telephoner|contacter|harceler|deranger)|nous (?:rappeler|contacter|deranger))",
      "(?:veux|souhaite|voulons|souhaitons|desire) plus (?:etre (?:appele|rappele|contacte|derange)\\S*|recevoir (?:\\S+ )?appels|dappels|que vous (?:mappeliez|nous appeliez))",
      "plus jamais (?:dappels?|mappeler)|(?:^| )plus dappels",
      "(?:retirez|enlevez|supprimez|rayez|effacez|otez)(?: moi| nous| mon numero| mon nom| ce numero)(?: sil vous plait)? (?:de|du) (?:\\S+ )?(?:liste|listes|fichier|fichiers|base)",
      "(?:supprimez|effacez|oubliez) mon numero",
    ],
    but: "(?:aujourdhui|demain|maintenant|avant|apres|jusqua|le (?:matin|soir|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|ce (?:matin|soir)|si (?:tot|tard))",
  },
  hi: {
    asks: [
      "(?:दोबारा|दुबारा|फिर(?: से)?|आगे से|अब|कभी)(?: (?:मुझे|हम[ेंै]+|यहा[ंँ]|इस नंबर पर|कभी|से))* (?:फोन|कॉल) (?:मत|न|ना|नहीं) (?:कीजि|करि|करे|करो|करना)\\S*",
      "(?<!(?:आज|कल|अभी|सुबह|शाम|रात|पहले|बाद|बजे|समय|को|में) )(?:मुझे|हम[ेंै]+)(?: (?:दोबारा|दुबारा|फिर(?: से)?|आगे से|अब|कभी))* (?:फोन|कॉल) (?:मत|न|ना) (?:कीजि|करि|करे|करो|करना)\\S*",
      "(?:फोन|कॉल) करना (?:बंद|बन्द) (?:कीजि|करि|करे|करो|कर द)\\S*",
      "(?:लिस्ट|सूची|डेटाबेस) से (?:\\S+ ){0,3}(?:हटा|निकाल|काट)\\S*",
      "मेरा (?:फोन )?(?:नंबर|नम्बर|नाम) (?:\\S+ ){0,4}(?:हटा|मिटा|डिलीट|निकाल)\\S*",
      "(?:और|कोई|कोई भी|आपका|आपके) (?:फोन|कॉल) नहीं चाहि\\S*",
    ],
    but: "(?:आज|कल|अभी|सुबह|शाम|रात)",
  },
  it: {
    asks: [
      "non (?:mi|ci) (?:chiami|chiamate|chiamare|richiami|richiamate|telefoni|telefonate|contatti|contattate|disturbi|disturbate)(?: mai)? piu",
      "non (?:chiamatemi|chiamateci|richiamatemi|chiamate|telefonate)(?: mai)? piu",
      "(?:smetta|smettete|smettetela|smettila|basta)(?: di)? (?:chiamar|telefonar|disturbar|contattar)(?:mi|ci|e)",
      "non (?:voglio|desidero|vogliamo)(?: mai)?(?: piu)? (?:essere (?:chiamat|contattat|disturbat)\\S+|ricevere (?:\\S+ )?(?:chiamate|telefonate)|che mi (?:chiamiate|telefoniate)|(?:altre |le vostre )?(?:chiamate|telefonate))",
      "(?:cancellatemi|mi cancelli|toglietemi|mi tolga|rimuovetemi|mi rimuova|eliminatemi|mi elimini|(?:cancell|tolg|rimuov|elimin)\\S+ il mio (?:numero|nome)) (?:dalla|dalle|dal|dai|da) (?:\\S+ )?(?:lista|liste|elenco|elenchi|database|archivio)",
      "(?:cancell|elimin|rimuov)\\S+ il mio numero",
    ],
    but: "(?:oggi|domani|adesso|ora|prima|dopo|fino|la (?:mattina|sera)|di (?:mattina|sera)|il (?:lunedi|martedi|mercoledi|giovedi|venerdi|sabato)|la domenica|cosi (?:presto|tardi))",
  },
  nl: {
    asks: [
      "(?:bel|belt|bellen)(?: u)? (?:me|mij|ons|hier|dit nummer)(?: alstublieft| alsjeblieft)? (?:niet|nooit) (?:meer|weer)",
      "(?:stop|stopt u|hou op|houd op|houdt u op) met (?:me |mij |ons )?(?:te )?(?:bellen|lastigvallen)",
      "(?:niet|nooit) (?:meer|weer) (?:bellen|gebeld worden|worden gebeld)",
      "(?:wil|wens|wensen|willen) (?:\\S+ )?(?:niet|geen)(?: meer| langer)? (?:gebeld|worden gebeld|gebeld worden|telefoontjes|oproepen)",
      "geen (?:telefoontjes|oproepen) meer",
      "(?:haal|haalt u|verwijder|verwijdert u|schrap)(?: u)? (?:me|mij|ons|mijn (?:telefoon)?nummer|dit nummer|mijn naam)(?: alstublieft)? (?:van|uit) (?:\\S+ )?(?:lijst|lijsten|bellijst|bestand|systeem)",
      "(?:verwijder|wis)(?:t u)? mijn (?:telefoon)?nummer",
    ],
    but: "(?:vandaag|morgen|nu|voor|na|tot|s ochtends|s avonds|op (?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)|zo (?:vroeg|laat))",
  },
  pl: {
    asks: [
      "nie dzwon(?:ic|cie)?(?: (?:juz|do (?:mnie|nas)|tu|prosze))* (?:wiecej|nigdy|ponownie)",
      "(?:wiecej|juz|nigdy)(?: do (?:mnie|nas))?(?: juz)? nie dzwon(?:ic|cie)?\\b",
      "do (?:mnie|nas) nie dzwon(?:ic|cie)?(?:$| prosze| juz)",
      "przesta(?:n|ncie|c)(?: prosze)?(?: do (?:mnie|nas))? (?:dzwonic|wydzwaniac|nekac)",
      "nie (?:chce|zycze sobie|chcemy)(?: juz| wiecej)* (?:\\S+ )?(?:telefonow|po[lł]aczen|zebyscie do mnie dzwonili|aby do mnie dzwoniono)",
      "(?:usun|skresl|wykresl)\\S*(?: prosze)? (?:mnie|nas|moj numer|ten numer|moje dane) z (?:\\S+ )?(?:listy|bazy|systemu)",
      "(?:mnie|nas|moj numer|ten numer) (?:usun|skresl|wykresl)\\S* z (?:\\S+ )?(?:listy|bazy|systemu)",
      "(?:usun|skasuj|wykresl)\\S*(?: prosze)? moj numer",
    ],
    but: "(?:dzis|dzisiaj|jutro|teraz|przed|po|do (?:poniedzia[lł]ku|jutra)|rano|wieczorem|w (?:poniedzia[lł]ek|wtorek|srode|czwartek|piatek|sobote|niedziele)|tak (?:wczesnie|pozno))",
  },
  pt: {
    asks: [
      "nao (?:me|nos) (?:ligue|liguem|ligues|telefone|telefonem|contacte|contactem|contate|contatem|incomode|incomodem)(?: nunca)? mais",
      "nao (?:ligue|liguem|telefone|telefonem)(?: nunca)? mais",
      "nao (?:me )?(?:volte|voltem|torne|tornem)(?: mais)? a (?:me )?(?:ligar|telefonar)",
      "(?:pare|parem|deixe|deixem) de (?:me |nos )?(?:ligar|telefonar|incomodar|contatar|contactar)",
      "nao (?:quero|desejo|queremos)(?: mais)? (?:(?:receber )?(?:mais )?(?:as )?(?:suas |vossas |estas |essas )?(?:ligacoes|chamadas)|que (?:me )?(?:liguem|telefonem)|ser (?:contactad|contatad|incomodad)\\S)",
      "(?:tire|tirem|retire|retirem|remova|removam|apague|apaguem|elimine|eliminem)(?: me| nos)?(?: o)?(?: meu (?:numero|nome|telefone|contacto|contato))? (?:da|de|das) (?:\\S+ )?(?:lista|listas|base)",
      "(?:apague|apaguem|remova|removam|elimine|eliminem) o? ?meu (?:numero|telefone|contacto|contato)",
    ],
    but: "(?:hoje|amanha|agora|antes|depois|ate|de (?:manha|tarde|noite)|a (?:noite|tarde)|na (?:segunda|terca|quarta|quinta|sexta)|no (?:sabado|domingo)|tao (?:cedo|tarde))",
  },
  tr: {
    asks: [
      "(?:bir daha|artik|asla)(?: (?:beni|bizi|burayi|bu numarayi|lutfen|asla))* arama(?:yin(?:iz)?)?",
      "(?<!(?:once|sonra|aksam|aksamlari|sabah|sabahlari|gece|bugun|yarin|simdi|saatte|iste|isteyken|gunu) )(?:beni|bizi|burayi|bu numarayi)(?: (?:lutfen|bir daha|artik|asla|tekrar))* arama(?:yin(?:iz)?)?",
      "(?:bir daha|artik|kesinlikle)(?: \\S+)? (?:aranmak|aramanizi|beni aramanizi|rahatsiz edilmek) istemiyor(?:um|uz)",
      "^(?:lutfen )?(?:aranmak|aramanizi|beni aramanizi) istemiyor(?:um|uz)",
      "(?:aramayi|aramalari|rahatsiz etmeyi) (?:birak|kes|durdur)(?:in|iniz|un|unuz)?",
      "(?:liste|listeniz|sistem|sisteminiz|veri tabani|veri tabaniniz)(?:den|dan) (?:\\S+ ){0,2}(?:cikar|sil|kaldir)\\S*",
      "(?:numarami|telefonumu|adimi|ismimi|kaydimi)(?: lutfen)? (?:sil|kaldir|cikar|unut)\\S*",
    ],
    but: "(?:bugun|yarin|simdi|once|sonra|aksam|sabah|gece|saat)",
  },
};
