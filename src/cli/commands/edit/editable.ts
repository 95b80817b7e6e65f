import { type Fields, getText } from "../../../base/fields.js";
import { parsePathParameters } from "../../../contract/operation.js";
import type { OperationName } from "../../../contract/wire.js";
import type { Interpreters } from "../../derive/ask.js";
import { buildFieldFlags } from "../../derive/field-flags.js";
import type { Noun } from "../../derive/noun.js";
import { listFields } from "../../derive/schema.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Example } from "../../session/input.js";

export interface Editable {
  noun: Noun;
  get: OperationName;
  update: OperationName;
  textField?: string;
  /** Fields that are omitted because other commands change them. */
  omit?: readonly string[];
  interpreters?: Interpreters;
  /** Text for this resource only, after the description that all edit commands share. */
  description?: string;
  examples: readonly Example[];
}

/**
 * Returns the updatable fields that the response contains, in contract order.
 * @throws CliError `text_not_shown` with exit code 9
 */
export function pickEditableFields(before: Fields, { noun, update, omit = [], textField }: Editable): Fields {
  const names = listFields(noun.operations[update]?.body)
    .filter(({ name, type }) => type !== "never" && !omit.includes(name) && Object.hasOwn(before, name))
    .map(({ name }) => name);
  // If the response doesn't contain the text, the text may still exist, so refuse the edit.
  if (textField !== undefined && typeof before[textField] !== "string")
    throw new CliError({
      exit: exits.unavailable,
      code: "text_not_shown",
      message: `cannot edit ${textField}: the service did not return it`,
    });
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

export function emptiesText(textField: string | undefined, before: Fields, changes: Fields): boolean {
  if (textField === undefined || !Object.hasOwn(changes, textField)) return false;
  return getText(before, textField).trim() !== "" && getText(changes, textField).trim() === "";
}

export function createFieldFlags({ noun, update }: Editable) {
  return buildFieldFlags(noun.operations[update]?.body, noun, noun.verbs[update] ?? { examples: [] });
}

export function toPathParameters({ noun, get }: Editable, id: string): Record<string, string> {
  const [name = "id"] = parsePathParameters(noun.operations[get]?.path ?? "");
  return { [name]: id };
}
