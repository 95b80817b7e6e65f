import type { EmulatorState } from "../../emulator-state.js";
import { plantGroup, plantRow } from "../../kernel/planting.js";

const dayMilliseconds = 86_400_000;

interface Item {
  name: string;
  text: string;
  inactive?: boolean;
  failed?: boolean;
}

const groups: readonly { name: string; items: readonly Item[] }[] = [
  {
    name: "Praxiswissen",
    items: [
      {
        name: "Sprechzeiten und Anfahrt",
        text: "Wir sind montags bis donnerstags von 8 bis 18 Uhr da, mittwochs nur bis 13 Uhr, freitags von 8 bis 14 Uhr. Zwischen 12 und 13 Uhr ist Mittagspause. Die Praxis liegt in der Lindenallee 14, zweiter Stock; vom U-Bahnhof sind es vier Minuten zu Fuß.",
      },
      {
        name: "Barrierefreiheit und Parken",
        text: "Ein Aufzug führt vom Hof in den zweiten Stock, die Türen sind 95 cm breit. Zwei Parkplätze im Hof sind für unsere Patienten reserviert, die Einfahrt ist neben der Bäckerei.",
      },
      {
        name: "Notfälle außerhalb der Sprechzeiten",
        text: "Bei starken Schmerzen, Blutungen oder einem ausgeschlagenen Zahn außerhalb der Sprechzeiten hilft der zahnärztliche Notdienst. Ein ausgeschlagener Zahn gehört in eine Zahnrettungsbox oder in kalte Milch, nicht unter fließendes Wasser. Bei Atemnot oder Schwellung am Hals ist die 112 zu rufen.",
      },
      {
        name: "Termine verschieben und absagen",
        text: "Termine lassen sich bis 24 Stunden vorher kostenlos verschieben oder absagen. Danach berechnen wir bei Behandlungen über 60 Minuten eine Ausfallgebühr. Wer krank ist, muss nichts bezahlen, soll aber bitte anrufen.",
      },
      {
        name: "Kosten und Kassenleistungen",
        text: "Zwei Vorsorgeuntersuchungen im Jahr und eine Zahnsteinentfernung zahlt die gesetzliche Kasse. Für Kronen, Brücken und Implantate schreiben wir vorab einen Heil- und Kostenplan. Ratenzahlung ist ab 300 Euro möglich.",
      },
      {
        name: "Preisliste 2019 (Scan)",
        text: "",
        inactive: true,
        failed: true,
      },
    ],
  },
  {
    name: "Behandlungen",
    items: [
      {
        name: "Professionelle Zahnreinigung",
        text: "Eine Zahnreinigung dauert etwa 50 Minuten und kostet zwischen 95 und 130 Euro. Viele Kassen zahlen einen Zuschuss. Am selben Tag bitte keinen Kaffee, Rotwein oder Kurkuma.",
      },
      {
        name: "Implantate",
        text: "Vor einem Implantat machen wir eine dreidimensionale Aufnahme. Der Eingriff dauert meist unter einer Stunde in örtlicher Betäubung, das Einheilen drei bis vier Monate.",
      },
      {
        name: "Nach dem Eingriff",
        text: "Am ersten Tag kühlen, nicht spülen, nicht rauchen und nichts Heißes essen. Leichte Schwellungen sind bis zum dritten Tag normal. Hält eine Blutung länger als zwei Stunden an, bitte sofort anrufen.",
      },
      {
        name: "Kinder",
        text: "Der erste Besuch ist ab dem ersten Milchzahn sinnvoll. Kindertermine liegen nachmittags, der erste dauert 20 Minuten und dient nur zum Kennenlernen.",
      },
      {
        name: "Angst vor der Behandlung",
        text: "Wer Angst hat, sagt das am besten schon am Telefon. Wir planen dann mehr Zeit ein, und Dr. Sommer bespricht vorher jeden Schritt. Lachgas ist nach einem Vorgespräch möglich.",
      },
    ],
  },
];

export function plantKnowledge(state: EmulatorState, organizationId: string): void {
  const now = state.clock.now();
  let age = 40;
  for (const { name: groupName, items } of groups) {
    const groupId = plantGroup(state, organizationId, "knowledges", groupName);
    for (const item of items) {
      age -= 3;
      const saved = now - age * dayMilliseconds;
      const id = plantRow(state, "knowledge_items", organizationId, {
        group_id: groupId,
        name: item.name,
        active: item.inactive ? 0 : 1,
        indexing_asked_at: saved,
        indexing_ends: item.failed ? "failed" : "synced",
        created_at: saved,
        updated_at: saved,
      });
      state.database
        .prepare("INSERT INTO knowledge_texts (knowledge_item_id, text) VALUES (?, ?)")
        .run(id, item.text);
    }
  }
}
