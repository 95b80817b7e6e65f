import * as z from "zod";
import { assumed, requiredBy, ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { isWholeText, ObjectId, pageQuery, timestamps, wholeTextMessage } from "../primitives.js";
import { ImmutableGroup } from "../primitives-items.js";
import { boundedText } from "../primitives-texts.js";

/** public.pronunciation.token */
const Token = ruled(
  "public.pronunciation.token",
  z
    .string("must be a single word")
    .regex(/^\S+$/u, "must be a single word without spaces")
    .refine(isWholeText, wholeTextMessage),
);

const SpokenText = assumed(
  "D-pronunciation",
  boundedText(1, 200, "must be text of 1 to 200 characters"),
  z.string("must be text"),
);

const SpeakingRate = assumed(
  "D-pronunciation",
  z.number("must be a number").min(0.5, "must be from 0.5 to 2.0").max(2, "must be from 0.5 to 2.0"),
  z.number("must be a number"),
);

const SpellOut = z.boolean("must be true or false");

/** A rule for pronouncing a word. Fields that the rule doesn't use are null (D-pronunciation). */
const Pronunciation = z.object({
  id: ObjectId,
  group_id: ObjectId,
  token: assumed("D-pronunciation", z.string()),
  replacement: assumed("D-pronunciation", z.string().nullable()),
  spell_out: assumed("D-pronunciation", z.boolean()),
  speaking_rate: assumed("D-pronunciation", z.number().nullable()),
  ipa: assumed("D-pronunciation", z.string().nullable()),
  ...timestamps,
});

const PronunciationCreate = z.strictObject({
  group_id: ObjectId,
  token: requiredBy("D-pronunciation", Token),
  replacement: SpokenText.nullable().default(null),
  spell_out: SpellOut.default(false),
  speaking_rate: SpeakingRate.nullable().default(null),
  ipa: SpokenText.nullable().default(null),
});

const PronunciationUpdate = z.strictObject({
  group_id: ImmutableGroup.optional(),
  token: Token.optional(),
  replacement: SpokenText.nullable().optional(),
  spell_out: SpellOut.optional(),
  speaking_rate: SpeakingRate.nullable().optional(),
  ipa: SpokenText.nullable().optional(),
});

setExample(Pronunciation, {
  id: exampleIds.pronunciation_id,
  group_id: exampleIds.group_id,
  token: "Dr.",
  replacement: "Doktor",
  spell_out: false,
  speaking_rate: null,
  ipa: null,
  ...exampleTimes,
});
setExample(PronunciationCreate, { group_id: exampleIds.group_id, token: "Dr.", replacement: "Doktor" });
setExample(PronunciationUpdate, { speaking_rate: 0.9 });

export const pronunciation = defineOperations(
  { api: "public", about: "Rules for the pronunciation of written words.", area: "pronunciation" },
  {
    "pronunciation.list": {
      method: "GET",
      path: "/pronunciation",
      summary: "List pronunciation rules",
      query: pageQuery({ group_id: ObjectId.optional() }),
      responseShape: "page",
      response: Pronunciation,
    },
    "pronunciation.create": {
      method: "POST",
      path: "/pronunciation",
      summary: "Create a pronunciation rule",
      body: PronunciationCreate,
      responseShape: "item",
      response: Pronunciation,
      errors: [404],
    },
    "pronunciation.get": {
      method: "GET",
      path: "/pronunciation/{pronunciation_id}",
      summary: "Show a pronunciation rule",
      responseShape: "item",
      response: Pronunciation,
    },
    "pronunciation.update": {
      method: "PATCH",
      path: "/pronunciation/{pronunciation_id}",
      summary: "Change a pronunciation rule",
      body: PronunciationUpdate,
      responseShape: "item",
      response: Pronunciation,
    },
    "pronunciation.delete": {
      method: "DELETE",
      path: "/pronunciation/{pronunciation_id}",
      summary: "Delete a pronunciation rule",
      responseShape: "empty",
    },
  },
);

export type Pronunciation = z.output<typeof Pronunciation>;
