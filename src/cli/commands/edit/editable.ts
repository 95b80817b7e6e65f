/** The things that can be edited: the fields and the requests of them. */
import { parsePathParameters } from "../../../contract/operation.js";
import type { OperationName } from "../../../contract/wire.js";
import type { Interpreters } from "../../derive/ask.js";
import { buildFieldFlags } from "../../derive/field-flags.js";
import type { Noun } from "../../derive/noun.js";
import { listFields } from "../../derive/schema.js";
import { CliError, exits } from "../../errors/errors.js";
import { type Fields, getText } from "../../output/fields.js";
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
  interpreters?: Interpreters;
  description: string;
  examples: readonly Example[];
}

/** The fields of an update that the answer shows, in the contract's order. @throws CliError `text_not_shown` (9) */
export function pickEditableFields(before: Fields, { noun, update, omit = [], textField }: Editable): Fields {
  const names = listFields(noun.operations[update]?.body)
    .filter(({ name, type }) => type !== "never" && !omit.includes(name) && Object.hasOwn(before, name))
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
  return getText(before, textField).trim() !== "" && getText(changes, textField).trim() === "";
}

/** The flags of its update command: what the fields of the file are checked by. */
export function createFieldFlags({ noun, update }: Editable) {
  return buildFieldFlags(noun.operations[update]?.body, noun, noun.verbs[update] ?? { examples: [] });
}

/** The path's parameters for the thing of this id. */
export function toPathParameters({ noun, get }: Editable, id: string): Record<string, string> {
  const [name = "id"] = parsePathParameters(noun.operations[get]?.path ?? "");
  return { [name]: id };
}
