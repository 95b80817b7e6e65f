import { assistants as assistantOperations } from "../../../contract/public/assistants.js";
import type { Noun } from "../../derive/noun.js";
import { sendCommand } from "../../derive/send.js";
import { getText, isFields, showBeginning, showIfPresent } from "../../output/fields.js";
import { assistant } from "../../session/references/assistant.js";
import { groupOf } from "../../session/references/group.js";
import { promptOf } from "../../session/references/prompt.js";
import { voice } from "../../session/references/voice.js";
import { assistantInterpreters } from "./assistant-interpreters.js";

function formatWebhook(row: Readonly<Record<string, unknown>>): string {
  const webhook = row["pre_call_webhook"];
  if (!isFields(webhook)) return "";
  return webhook["enabled"] === true ? "on" : "off";
}

const referenceHelp = {
  voice_id: "the voice, by name or id (voxctl voices list)",
  prompt_id: "the answering prompt, by name or id; --set prompt_id=null takes it away",
  email_prompt_id: "the email prompt, by name or id; --set email_prompt_id=null takes it away",
};

/** An update takes the lists of references as they are to be. */
const listHelp = {
  knowledge_group_ids: "the knowledge groups, by name or id; replaces all there are",
  glossary_group_ids: "the glossary groups, by name or id; replaces all there are",
  pronunciation_group_ids: "the pronunciation groups, by name or id; replaces all there are",
  forwarding_group_ids: "the forwarding groups, by name or id; replaces all there are",
  calendar_ids: "the calendars, by name or id; replaces all there are",
  tool_ids: "the tools, by name or id; replaces all there are",
};

export const assistants: Noun = {
  name: "assistants",
  noun: "assistant",
  plural: "assistants",
  summary: "Manage assistants",
  description: "A NAME can stand for the id wherever it is unique.",
  operations: assistantOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "NUMBER", value: "phone_number", keep: true },
    { header: "LANGUAGE", value: "language", keep: true },
    { header: "WEBHOOK", value: showIfPresent(["pre_call_webhook"], formatWebhook), keep: true },
    { header: "COMPANY", value: "company_name", optional: true },
    { header: "INTRODUCTION", value: showBeginning("introduction", 50), optional: true },
  ],
  referable: assistant,
  references: {
    voice_id: voice,
    prompt_id: promptOf("answering"),
    email_prompt_id: promptOf("email"),
    knowledge_group_ids: groupOf("knowledges"),
    glossary_group_ids: groupOf("glossaries"),
    pronunciation_group_ids: groupOf("pronunciations"),
    forwarding_group_ids: groupOf("forwardings"),
    calendar_ids: { list: "calendars.list", noun: "calendar" },
    tool_ids: { list: "tools.list", noun: "tool" },
  },
  commands: [
    {
      name: "edit",
      summary: "Edit the resource in your editor and send the changes",
      load: async () => (await import("./edit.js")).editAssistant(assistants),
    },
    {
      name: "webhook",
      summary: "Manage the pre-call webhook of an assistant",
      load: async () => (await import("./webhook.js")).webhookCommands,
    },
  ],
  verbs: {
    "assistants.list": {
      examples: [
        { command: "voxctl assistants list" },
        { command: "voxctl assistants list --all -o json --fields id,name,phone_number" },
      ],
    },
    "assistants.get": { examples: [{ command: "voxctl assistants get Empfang" }] },
    "assistants.create": {
      description:
        "The platform gives it a phone number. A webhook is added afterwards, by voxctl assistants webhook set.",
      examples: [
        {
          command:
            'voxctl assistants create --name Empfang --language de --voice Clara --company-name "Praxis Sommer" --company-industry Zahnmedizin --introduction "Guten Tag!" --prompt Empfang',
        },
        { command: "voxctl assistants create --data @empfang.yaml --voice Clara" },
      ],
      flagHelp: { ...referenceHelp, introduction: "what it says first" },
      command: (derivation) =>
        sendCommand(derivation, {
          offers: {
            language: async (session) => (await import("./languages.js")).listLanguageOffers(session),
          },
          interpreters: assistantInterpreters,
        }),
    },
    "assistants.update": {
      description:
        "A new introduction is used by new calls; those under way keep theirs, and translations follow a little later. A list of groups, calendars or tools replaces the one there is.",
      examples: [
        { command: 'voxctl assistants update Empfang --introduction "Guten Tag, Praxis Sommer!"' },
        {
          command:
            "voxctl assistants update Empfang --knowledge-group Praxiswissen --knowledge-group Behandlungen",
        },
        { command: "voxctl assistants update Empfang --set prompt_id=null", note: "without a prompt" },
      ],
      flagHelp: { ...referenceHelp, ...listHelp, introduction: "what it says first, from the next call on" },
      command: (derivation) => sendCommand(derivation, { interpreters: assistantInterpreters }),
    },
    "assistants.delete": {
      description: "Its calls stay listed. Its number goes back to the platform when they are over.",
      examples: [{ command: "voxctl assistants delete Empfang --yes" }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("assistants.get", { path: { assistant_id: id } }, { signal });
        const row = isFields(data) ? data : {};
        const number = getText(row, "phone_number");
        return {
          what: `assistant "${getText(row, "name")}"`,
          ...(number === "" ? {} : { consequence: `Its number ${number} is given back.` }),
        };
      },
    },
  },
};
