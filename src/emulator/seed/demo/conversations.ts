/** `{name}`, `{tag}` and `{zeit}` are replaced in each call. */
export interface DemoConversation {
  assistant: "Empfang" | "Notdienst" | "Terminservice";
  /**
   * Utterances after the assistant's introduction. The user and the assistant take turns, and the user speaks
   * first.
   */
  lines: readonly string[];
  topic: string;
  result: string;
  mood: "neutral" | "positive" | "negative";
  note?: { text: string; author: string };
  details?: string;
}

export const demoConversations: readonly DemoConversation[] = [
  {
    assistant: "Empfang",
    lines: [
      "Guten Morgen, {name} hier. Ich hätte gern einen Termin zur Prophylaxe.",
      "Sehr gern. Passt Ihnen {tag} um {zeit} Uhr?",
      "Ja, das passt gut.",
      "Dann habe ich Sie für {tag} um {zeit} Uhr eingetragen. Bringen Sie bitte Ihre Versichertenkarte mit.",
      "Mache ich, danke. Tschüss!",
    ],
    topic: "Termin vereinbaren",
    result: "Termin eingetragen",
    mood: "positive",
  },
  {
    assistant: "Empfang",
    lines: [
      "Hallo, mein Name ist {name}. Ich muss meinen Termin am {tag} leider absagen.",
      "Danke, dass Sie Bescheid geben. Möchten Sie gleich einen neuen Termin?",
      "Nein, ich melde mich, wenn ich weiß, wann ich Zeit habe.",
      "In Ordnung, der Termin ist gestrichen. Gute Besserung und auf Wiederhören!",
    ],
    topic: "Termin absagen",
    result: "Termin gestrichen",
    mood: "neutral",
    note: { text: "Platz an die Warteliste weitergegeben.", author: "Sabine Thiele" },
  },
  {
    assistant: "Empfang",
    lines: [
      "Guten Tag, was kostet bei Ihnen eine professionelle Zahnreinigung?",
      "Je nach Aufwand zwischen 85 und 130 Euro. Viele Kassen geben etwas dazu.",
      "Und wie lange dauert das?",
      "Planen Sie eine Stunde ein. Soll ich Ihnen einen Termin vorschlagen?",
      "Danke, ich frage erst bei meiner Kasse nach.",
      "Gern, wir freuen uns auf Ihren Anruf.",
    ],
    topic: "Preisauskunft",
    result: "Auskunft gegeben",
    mood: "neutral",
  },
  {
    assistant: "Empfang",
    lines: [
      "{name}, guten Tag. Mir ist eine Füllung herausgefallen, und jetzt zieht es bei Kaltem.",
      "Das tut mir leid. Haben Sie Schmerzen, wenn Sie nichts essen oder trinken?",
      "Nein, nur bei Kaltem.",
      "Dann kommen Sie bitte {tag} um {zeit} Uhr in die Schmerzsprechstunde. Kauen Sie bis dahin auf der anderen Seite.",
      "Gut, danke schön.",
    ],
    topic: "Schmerzen",
    result: "Schmerztermin eingetragen",
    mood: "negative",
    note: { text: "Zahn 36, alte Amalgamfüllung. Bitte 30 Minuten einplanen.", author: "Dr. Sommer" },
  },
  {
    assistant: "Empfang",
    lines: [
      "Ich brauche den Kostenvoranschlag für meine Krone noch einmal, auf den Namen {name}.",
      "Ich gebe das an die Verwaltung weiter. Sollen wir ihn per Post oder per E-Mail schicken?",
      "Per E-Mail, bitte.",
      "Gern. Sie haben ihn spätestens {tag} im Postfach.",
      "Wunderbar, vielen Dank.",
    ],
    topic: "Unterlagen",
    result: "An die Verwaltung weitergegeben",
    mood: "neutral",
    note: { text: "Kostenvoranschlag verschickt.", author: "Markus Feld" },
  },
  {
    assistant: "Empfang",
    lines: [
      "Kann ich bitte mit Frau Doktor Sommer selbst sprechen? Es geht um meinen Sohn, {name}.",
      "Frau Dr. Sommer ist in einer Behandlung. Ich verbinde Sie mit dem Empfang, einen Augenblick bitte.",
      "Danke.",
    ],
    topic: "Verbinden",
    result: "Mit dem Empfang verbunden",
    mood: "neutral",
  },
  {
    assistant: "Empfang",
    lines: [
      "Haben Sie am Mittwochnachmittag geöffnet?",
      "Mittwochs sind wir bis 13 Uhr da. Donnerstags haben wir bis 19 Uhr Sprechstunde.",
      "Dann komme ich am Donnerstag. Muss ich mich anmelden?",
      "Ja, bitte. Ich habe {tag} um {zeit} Uhr noch etwas frei, ist das recht?",
      "Ja, auf den Namen {name}.",
      "Eingetragen. Bis dann!",
    ],
    topic: "Öffnungszeiten",
    result: "Termin eingetragen",
    mood: "positive",
  },
  {
    assistant: "Notdienst",
    lines: [
      "Ja, sehr starke Schmerzen, seit heute Mittag. Die Backe ist ganz dick.",
      "Haben Sie Fieber oder können Sie schlecht schlucken?",
      "Fieber nicht, schlucken geht.",
      "Bitte fahren Sie gleich in den zahnärztlichen Notdienst. Ich nenne Ihnen jetzt Adresse und Telefonnummer.",
      "Ja, ich schreibe mit.",
    ],
    topic: "Notfall",
    result: "An den Notdienst verwiesen",
    mood: "negative",
    note: { text: "Am nächsten Morgen zurückgerufen, Abszess wurde versorgt.", author: "Dr. Sommer" },
  },
  {
    assistant: "Notdienst",
    lines: [
      "Nein, es geht nur um mein Rezept. Ich bin {name}.",
      "Die Praxis ist {tag} ab acht Uhr wieder besetzt. Soll ich eine Nachricht hinterlassen?",
      "Ja, bitte, es geht um das Schmerzmittel von letzter Woche.",
      "Das gebe ich weiter. Gute Nacht!",
    ],
    topic: "Rezept",
    result: "Nachricht hinterlassen",
    mood: "neutral",
  },
  {
    assistant: "Notdienst",
    lines: [
      "Mein Kind ist hingefallen, und ein Schneidezahn ist abgebrochen!",
      "Legen Sie das abgebrochene Stück bitte in Milch, und fahren Sie sofort in die Zahnklinik. Ich sage Ihnen die Adresse.",
      "Danke, danke. Wir fahren los.",
    ],
    topic: "Notfall",
    result: "An die Zahnklinik verwiesen",
    mood: "negative",
  },
  {
    assistant: "Terminservice",
    details: "Erinnerung an die Prophylaxe am {tag} um {zeit} Uhr",
    lines: [
      "Ja, {name}?",
      "Ich möchte Sie an Ihre Prophylaxe am {tag} um {zeit} Uhr erinnern. Kommen Sie?",
      "Ach ja, danke! Ich komme.",
      "Schön, bis dann. Auf Wiederhören!",
    ],
    topic: "Terminerinnerung",
    result: "Termin bestätigt",
    mood: "positive",
  },
  {
    assistant: "Terminservice",
    details: "Termin am {tag} muss verschoben werden, Behandler erkrankt",
    lines: [
      "{name}, hallo?",
      "Ihr Termin am {tag} muss leider ausfallen, Herr Dr. Winter ist erkrankt. Darf ich Ihnen einen neuen anbieten?",
      "Schade. Was haben Sie denn frei?",
      "Eine Woche später, um {zeit} Uhr.",
      "Na gut, den nehme ich.",
      "Vielen Dank für Ihr Verständnis.",
    ],
    topic: "Termin verschieben",
    result: "Termin verschoben",
    mood: "neutral",
    note: { text: "Röntgenbild liegt schon vor.", author: "Sabine Thiele" },
  },
  {
    assistant: "Terminservice",
    details: "Nachfrage nach dem Einsetzen der Krone, Behandlung am {tag}",
    lines: [
      "Ja, bitte?",
      "Wir möchten fragen, wie es Ihnen nach der Behandlung am {tag} geht.",
      "Ganz gut, nur der Biss fühlt sich noch ein wenig hoch an.",
      "Das notiere ich. Die Praxis ruft Sie an, um die Krone nachzuschleifen.",
      "Sehr aufmerksam, danke.",
    ],
    topic: "Nachsorge",
    result: "Rückruf notiert",
    mood: "positive",
  },
];
