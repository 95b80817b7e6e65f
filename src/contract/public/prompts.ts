import * as z from "zod";
import { assumed, requiredBy, ruled } from "../assumed.js";
import { exampleIds, exampleTime, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, Timestamp, timestamps } from "../primitives.js";
import { LongText } from "../primitives-texts.js";

/** public.prompt.kinds */
export const promptTypes = ["answering", "email"] as const;

const PromptType = assumed(
  "D-prompt",
  z.enum(promptTypes, `must be one of ${promptTypes.join(", ")}`), // public.prompt.kinds
  z.string("must be text"),
);

const Rating = z.object({
  state: z.enum(["pending", "rated", "failed"]),
  /** From 0 to 100; null until the prompt is rated. */
  score: z.number().nullable(),
  rated_at: Timestamp.nullable(),
});

const Prompt = z.object({
  id: ObjectId,
  name: assumed("D-prompt", z.string()),
  kind: assumed("D-prompt", z.enum(promptTypes)),
  text: assumed("D-prompt", z.string()),
  /** Null if rating is disabled. */
  rating: assumed("D-prompt", Rating.nullable()),
  ...timestamps,
});

const PromptCreate = ruled(
  "D-prompt",
  z.strictObject({
    name: requiredBy("D-prompt", Name),
    kind: requiredBy("D-prompt", PromptType),
    text: requiredBy("D-prompt", LongText),
  }),
);
// `kind` can't be changed (D-prompt).
const PromptUpdate = z.strictObject({ name: Name.optional(), text: LongText.optional() });

setExample(Prompt, {
  id: exampleIds.prompt_id,
  name: "Empfang",
  kind: "answering",
  text: "Du nimmst Anrufe einer Zahnarztpraxis an. Was über den Anrufer bekannt ist: @preCallData",
  rating: { state: "rated", score: 86, rated_at: exampleTime },
  ...exampleTimes,
});
setExample(PromptCreate, {
  name: "Empfang",
  kind: "answering",
  text: "Du nimmst Anrufe einer Zahnarztpraxis an. Was über den Anrufer bekannt ist: @preCallData",
});
setExample(PromptUpdate, { name: "Empfang Mitte" });

export const prompts = defineOperations(
  { api: "public", about: "Instructions for assistants and their emails.", area: "prompts" },
  {
    "prompts.list": {
      method: "GET",
      path: "/prompts",
      summary: "List prompts",
      query: pageQuery({}),
      responseShape: "page",
      response: Prompt,
    },
    "prompts.create": {
      method: "POST",
      path: "/prompts",
      summary: "Create a prompt",
      body: PromptCreate,
      responseShape: "item",
      response: Prompt,
    },
    "prompts.get": {
      method: "GET",
      path: "/prompts/{prompt_id}",
      summary: "Show a prompt",
      responseShape: "item",
      response: Prompt,
    },
    "prompts.update": {
      method: "PATCH",
      path: "/prompts/{prompt_id}",
      summary: "Change a prompt",
      body: PromptUpdate,
      responseShape: "item",
      response: Prompt,
    },
    "prompts.delete": {
      method: "DELETE",
      path: "/prompts/{prompt_id}",
      summary: "Delete a prompt",
      responseShape: "empty",
      errors: [409],
    },
  },
);

export type Prompt = z.output<typeof Prompt>;
