/** The things that can be edited: the fields and the requests of them. */
import { pathParameters } from "../../../contract/operation.js";
import type { OperationName } from "../../../contract/wire.js";
import type { Meant } from "../../derive/ask.js";
import { fieldFlags } from "../../derive/field-flags.js";
import type { Noun } from "../../derive/noun.js";
import { fieldsOf } from "../../derive/schema.js";
import { CliError, exits } from "../../errors/errors.js";
import { type Fields, textIn } from "../../output/fields.js";
import type { Example } from "../../session/input.js";

/** The resources that can be edited, and how. */
export interface Editable {
  noun: Noun;
  get: OperationName;
  update: OperationName;
  /** The field that people write most of; the file is Markdown then. */
  textField?: string;
  /** Fields with commands of their own. */
  omit?: readonly string[];
  meant?: Meant;
  description: string;
  examples: readonly Example[];
}

/** The fields of an update that the answer shows, in the contract's order. @throws CliError `text_not_shown` (9) */
export function editableFields(before: Fields, { noun, update, omit = [], textField }: Editable): Fields {
  const names = fieldsOf(noun.operations[update]?.body)
    .filter(({ name, kind }) => kind !== "never" && !omit.includes(name) && Object.hasOwn(before, name))
    .map(({ name }) => name);
  // T10: a text that is not shown is not known to be empty.
  if (textField !== undefined && typeof before[textField] !== "string")
    throw new CliError({
      exit: exits.unavailable,
      code: "text_not_shown",
      message: `the service does not show its ${textField}, so it can't be edited`,
    });
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

/** Is nothing left of the text that the thing is for? */
export function emptiesText(textField: string | undefined, before: Fields, changes: Fields): boolean {
  if (textField === undefined || !Object.hasOwn(changes, textField)) return false;
  return textIn(before, textField).trim() !== "" && textIn(changes, textField).trim() === "";
}

/** The flags of its update command: what the fields of the file are checked by. */
export function flagsOf({ noun, update }: Editable) {
  return fieldFlags(noun.operations[update]?.body, noun, noun.verbs[update] ?? { examples: [] });
}

/** The path's parameters for the thing of this id. */
export function parameters({ noun, get }: Editable, id: string): Record<string, string> {
  const [name = "id"] = pathParameters(noun.operations[get]?.path ?? "");
  return { [name]: id };
}
