import { getText, isFields } from "../../base/fields.js";
import { formatCount } from "../../base/text.js";
import { ClientError } from "../../client/errors.js";
import { isOperationName } from "../../contract/operation-names.js";
import { groups as groupOperations } from "../../contract/public/groups.js";
import { deleteCommand } from "../derive/delete.js";
import type { LossContext, Noun } from "../derive/noun.js";

/** List operation for each group type (public.group.own-type). */
const contents: Readonly<Record<string, { list: string; noun: string; plural: string }>> = {
  contacts: { list: "contacts.list", noun: "contact", plural: "contacts" },
  knowledges: { list: "knowledge.list", noun: "knowledge item", plural: "knowledge items" },
  forwardings: { list: "forwardings.list", noun: "forwarding", plural: "forwardings" },
  glossaries: { list: "glossary.list", noun: "glossary entry", plural: "glossary entries" },
  pronunciations: { list: "pronunciation.list", noun: "pronunciation rule", plural: "pronunciation rules" },
};

/** The service deletes a group's resources together with the group (public.operations.1a). */
async function describeLoss({ client, id, signal }: LossContext) {
  const { data } = await client.call("groups.get", { path: { group_id: id } }, { signal });
  const group = isFields(data) ? data : {};
  const what = `group "${getText(group, "name")}"`;
  const content = contents[getText(group, "type")];
  if (!content || !isOperationName(content.list))
    return { what, consequence: "The group's contents will be deleted." };
  let count = 0;
  for await (const _ of client.items(content.list, { query: { group_id: id } }, { signal, pageSize: 200 }))
    count += 1;
  const items = formatCount(count, content.noun, content.plural);
  if (count === 0) return { what, note: `The group contains 0 ${content.plural}.` };
  return { what, consequence: `${items} in the group will be deleted.` };
}

/** Adds a hint, because an assistant may use the group (public.operations.1b). */
function explainConflict(error: unknown): never {
  if (!(error instanceof ClientError) || error.status !== 409) throw error;
  const hint = "to remove the group from an assistant first, see `voxctl groups delete --help`";
  throw new ClientError({ ...error, message: error.message, hint, cause: error });
}

export const groups: Noun = {
  name: "groups",
  noun: "group",
  plural: "groups",
  summary: "Manage groups of contacts, knowledge and forwardings",
  description: "A group contains items of one type. Instead of an ID, you can use a unique name.",
  operations: groupOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "TYPE", value: "type", keep: true },
    { header: "UPDATED", value: "updated_at", as: "time", keep: true, optional: true },
  ],
  referable: { list: "groups.list", noun: "group", distinction: "type" },
  verbs: {
    "groups.list": {
      examples: [
        { command: "voxctl groups list" },
        { command: "voxctl groups list --type contacts -o json" },
      ],
      flagHelp: { type: "List only groups of this type" },
    },
    "groups.get": { examples: [{ command: "voxctl groups get Patienten" }] },
    "groups.create": {
      examples: [{ command: 'voxctl groups create --type contacts --name "Customers"' }],
      flagHelp: {
        type: "Type of the group's items; can't be changed later",
        name: "Name; must be unique among groups of this type",
      },
    },
    "groups.update": {
      examples: [{ command: 'voxctl groups update Überweiser --name "Überweisende Praxen"' }],
    },
    "groups.delete": {
      description:
        "Deletes the group and its contents permanently. You can't delete a group that an assistant uses, or the last group of a type. To remove a knowledge group from an assistant, run `voxctl assistants update` with --knowledge-group for each group to keep, or with --set 'knowledge_group_ids=[]' to remove all groups. Groups of other types have similar flags.",
      examples: [
        { command: "voxctl groups delete Überweiser" },
        { command: "voxctl groups delete Überweiser --yes", note: "In a script" },
      ],
      loses: describeLoss,
      command: (derivation) => {
        const command = deleteCommand(derivation, "always");
        return { ...command, run: (session, input) => command.run(session, input).catch(explainConflict) };
      },
    },
  },
};
