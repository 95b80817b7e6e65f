import type { Fields } from "../../../write/fields.js";
import type { ItemType } from "./item-type.js";
import { glossaryType, pronunciationType } from "./item-types.js";
import { readBoolean, readNumber, readText, type TableField } from "./table.js";

export interface TableType {
  type: ItemType;
  fields: readonly TableField[];
  judge(fields: Fields): { field: string; reason: string } | undefined;
}

export const glossaryTable: TableType = {
  type: glossaryType,
  fields: [
    {
      name: "term",
      headers: ["Begriff", "Wort", "Abkürzung", "Kürzel", "word", "abbreviation"],
      read: readText,
      required: true,
      empty: "",
    },
    {
      name: "definition",
      headers: [
        "Definition",
        "Erklärung",
        "Bedeutung",
        "Beschreibung",
        "meaning",
        "description",
        "explanation",
      ],
      read: readText,
      empty: "",
    },
  ],
  judge: () => undefined,
};

export const pronunciationTable: TableType = {
  type: pronunciationType,
  fields: [
    {
      name: "token",
      headers: ["Wort", "Begriff", "word", "written"],
      read: readText,
      required: true,
      empty: "",
    },
    {
      name: "replacement",
      headers: ["Ersetzung", "Ersatz", "Aussprache", "gesprochen", "spoken", "say as"],
      read: readText,
      empty: null,
    },
    {
      name: "spell_out",
      headers: ["Buchstabieren", "spell", "spelled out"],
      read: readBoolean,
      empty: false,
    },
    {
      name: "speaking_rate",
      headers: ["Tempo", "Sprechtempo", "rate", "speed"],
      read: readNumber,
      empty: null,
    },
    { name: "ipa", headers: ["Lautschrift", "phonetic", "phonetics"], read: readText, empty: null },
  ],
  // public.pronunciation.token
  judge: ({ token }) =>
    typeof token === "string" && /\s/u.test(token)
      ? { field: "token", reason: "must be a single word without spaces" }
      : undefined,
};
