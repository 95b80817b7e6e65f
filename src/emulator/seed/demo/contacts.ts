import { seededDraw } from "../../../base/random.js";
import type { EmulatorState } from "../../emulator-state.js";
import { isoTime } from "../../kernel/clock.js";
import { contactTable } from "../../public/contacts.js";
import { exampleIds } from "./example-ids.js";

const groups = [
  { name: "Patienten", size: 64 },
  { name: "Labore und Lieferanten", size: 9 },
  { name: "Überweiser", size: 12 },
];

const firstNames =
  "Anna Ayşe Björn Claudia Dieter Elif Emma Finn Françoise Günther Hannah Heike Iñaki Jonas Jürgen Karin Leon Łukasz Marie-Luise Mehmet Mia Nele Paul Renée Sabine Søren Thomas Ulrike Walter Zoë".split(
    " ",
  );
const lastNames =
  "Bauer Becker Böhm Çelik Fischer Groß Hofmann Kaya Koch Köhler Kowalski Krüger Lehmann Meyer-Lüdenscheidt Müller Nguyễn O'Brien Özdemir Richter Schäfer Schmitz Schröder Schulz Wagner Weber Weiß Wolf Yılmaz Zimmermann".split(
    " ",
  );
const companies = [
  "Dentallabor Brandt GmbH",
  "Zahntechnik Nord",
  "MediDepot Berlin",
  "Praxisbedarf Hartwig",
  "Steri-Service Kunze",
  "Labor Dr. Vogt",
  "Röntgentechnik Seidel",
  "Implant Systems AG",
  "Wäscherei Lindner",
];

export function plantContacts(state: EmulatorState, organizationId: string): void {
  const { database } = state;
  const now = state.clock.now();
  const draw = (...names: (string | number)[]) => seededDraw(state.randomSeed, "demo contacts", ...names);
  const pick = (list: readonly string[], ...names: (string | number)[]) =>
    list[Math.floor(draw(...names) * list.length)] ?? "";
  const time = isoTime(now);
  let serial = 0;
  for (const group of groups) {
    const groupId = state.ids.next();
    database
      .prepare(
        "INSERT INTO groups (id, organization_id, type, name, created_at, updated_at) VALUES (?, ?, 'contacts', ?, ?, ?)",
      )
      .run(groupId, organizationId, group.name, now, now);
    for (let index = 0; index < group.size; index += 1) {
      serial += 1;
      const isCompany = group.name === "Labore und Lieferanten";
      const first = isCompany ? (companies[index] ?? "") : pick(firstNames, group.name, index, "first");
      const last = isCompany ? "" : pick(lastNames, group.name, index, "last");
      // The ranges of these numbers are reserved for fiction.
      const landline = `+49302318${String(100 + serial).padStart(4, "0")}`;
      const mobile = `+4917139200${String(serial).padStart(2, "0")}`;
      const numbers = isCompany || draw(group.name, index, "kind") < 0.4 ? [landline] : [mobile];
      if (draw(group.name, index, "second") < 0.2) numbers.push(numbers[0] === landline ? mobile : landline);
      const mail = draw(group.name, index, "mail") < 0.7 ? [`${asciiName(first)}.${serial}@example.org`] : [];
      contactTable.put(database, organizationId, {
        id: serial === 1 ? exampleIds.contact : state.ids.next(),
        group_id: groupId,
        first_name: first,
        last_name: last,
        phone_numbers: numbers,
        emails: mail,
        created_at: time,
        updated_at: time,
      });
    }
  }
}

function asciiName(name: string): string {
  return (
    name
      .normalize("NFD")
      .replace(/[^A-Za-z ]/g, "")
      .trim()
      .split(" ")[0] ?? ""
  ).toLowerCase();
}
