import { isFields } from "../../../base/fields.js";
import { prompts as promptOperations } from "../../../contract/public/prompts.js";
import type { Noun } from "../../derive/noun.js";
import { showBeginning, showIfPresent } from "../../output/fields.js";

function formatRating(prompt: Readonly<Record<string, unknown>>): unknown {
  const rating = prompt["rating"];
  if (!isFields(rating)) return "";
  return rating["state"] === "rated" ? rating["score"] : rating["state"];
}

export const prompts: Noun = {
  name: "prompts",
  noun: "prompt",
  plural: "prompts",
  summary: "Manage assistant prompts",
  description:
    "An answering prompt controls the call; an email prompt determines the email that is sent after the call. The pre-call webhook's response replaces @preCallData.",
  operations: promptOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "KIND", value: "kind", keep: true },
    { header: "RATING", value: showIfPresent(["rating"], formatRating), keep: true, align: "right" },
    { header: "UPDATED", value: "updated_at", as: "time", optional: true, keep: true },
    { header: "TEXT", value: showBeginning("text", 60), optional: true },
  ],
  referable: { list: "prompts.list", noun: "prompt", distinction: "kind" },
  commands: [
    {
      name: "edit",
      summary: "Edit the resource in your editor and send the changes",
      load: async () => (await import("./edit.js")).editPrompt(prompts),
    },
    {
      name: "delete",
      aliases: ["rm"],
      summary: "Delete a prompt",
      load: async () => (await import("./delete.js")).deletePromptCommand,
    },
  ],
  verbs: {
    "prompts.list": {
      examples: [{ command: "voxctl prompts list" }, { command: "voxctl prompts list --all -o ndjson" }],
    },
    "prompts.get": { examples: [{ command: "voxctl prompts get Empfang --fields text -o yaml" }] },
    "prompts.create": {
      examples: [
        { command: 'voxctl prompts create --name Empfang --kind answering --text "Du bist freundlich."' },
        { command: "voxctl prompts create --data @empfang.yaml", note: "Long text from a file" },
      ],
      flagHelp: { kind: "Purpose of the prompt; can't be changed later" },
    },
    "prompts.update": {
      examples: [{ command: "voxctl prompts update Empfang --data @text.yaml" }],
    },
  },
};
