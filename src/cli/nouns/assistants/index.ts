import { getText, isFields } from "../../../base/fields.js";
import { assistants as assistantOperations } from "../../../contract/public/assistants.js";
import type { Noun } from "../../derive/noun.js";
import { sendCommand } from "../../derive/send.js";
import { showBeginning, showIfPresent } from "../../output/fields.js";
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

const createHelp = {
  voice_id: "Voice; see `voxctl voices list`",
  prompt_id: "Prompt for answering calls",
  email_prompt_id: "Prompt for the email after a call",
  introduction: "First sentence that the assistant says in each call",
};

const updateHelp = {
  voice_id: createHelp.voice_id,
  introduction: "First sentence of each new call",
  prompt_id: "Prompt for answering calls; to remove it, use --set prompt_id=null",
  email_prompt_id: "Prompt for the email after a call; to remove it, use --set email_prompt_id=null",
  knowledge_group_ids: "Knowledge group to assign; all other knowledge groups are removed",
  glossary_group_ids: "Glossary group to assign; all other glossary groups are removed",
  pronunciation_group_ids: "Pronunciation group to assign; all other pronunciation groups are removed",
  forwarding_group_ids: "Forwarding group to assign; all other forwarding groups are removed",
  calendar_ids: "Calendar to assign; all other calendars are removed",
  tool_ids: "Tool to assign; all other tools are removed",
};

export const assistants: Noun = {
  name: "assistants",
  noun: "assistant",
  plural: "assistants",
  summary: "Manage assistants and their pre-call webhooks",
  description: "Instead of an ID, you can use a unique name.",
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
      summary: "Manage an assistant's pre-call webhook",
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
        "The service assigns a phone number. To add a webhook, run `voxctl assistants webhook set` afterwards.",
      examples: [
        {
          command:
            'voxctl assistants create --name Empfang --language de --voice Clara --company-name "Praxis Sommer" --company-industry Zahnmedizin --introduction "Guten Tag!" --prompt Empfang',
        },
        { command: "voxctl assistants create --data @empfang.yaml --voice Clara" },
      ],
      flagHelp: createHelp,
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
        "A new introduction applies to new calls; its translations are updated shortly afterwards. Flags such as --knowledge-group replace the whole list: repeat the flag for each group, calendar or tool that the assistant should keep.",
      examples: [
        { command: 'voxctl assistants update Empfang --introduction "Guten Tag, Praxis Sommer!"' },
        {
          command:
            "voxctl assistants update Empfang --knowledge-group Praxiswissen --knowledge-group Behandlungen",
        },
        { command: "voxctl assistants update Empfang --set prompt_id=null", note: "Remove the prompt" },
      ],
      flagHelp: updateHelp,
      command: (derivation) => sendCommand(derivation, { interpreters: assistantInterpreters }),
    },
    "assistants.delete": {
      description:
        "The assistant's calls are kept. Its phone number is released when its active calls have ended.",
      examples: [{ command: "voxctl assistants delete Empfang --yes" }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("assistants.get", { path: { assistant_id: id } }, { signal });
        const row = isFields(data) ? data : {};
        const number = getText(row, "phone_number");
        return {
          what: `assistant "${getText(row, "name")}"`,
          ...(number === "" ? {} : { consequence: `The assistant's number ${number} will be released.` }),
        };
      },
    },
  },
};
