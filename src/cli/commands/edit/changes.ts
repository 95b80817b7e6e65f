import { stringifyExactJson } from "../../../base/exact-json.js";
import type { Fields } from "../../../base/fields.js";
import { suggestName } from "../../../base/suggestions.js";
import { warnOfUsualValue } from "../../derive/ask.js";
import { assertWholeText } from "../../derive/body.js";
import { checkDocumented } from "../../derive/check.js";
import { resolveFields } from "../../derive/derived.js";
import type { FieldFlag } from "../../derive/field-flags.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";
import { readTextFile } from "../../session/text-source.js";
import { type DocumentForm, parseEdited } from "./document.js";
import { createFieldFlags, type Editable } from "./editable.js";
import { type Editor, findEditor, openEditor } from "./editor.js";

/**
 * Opens the editor again until the content is valid or the user cancels. Shows the difference at the end.
 * @throws usage error (2), or not found (4) if a field refers to an unknown resource; the error names the
 * kept file
 */
export async function readEditedChanges(
  session: Session,
  work: {
    /** Undefined if the file was already edited. */
    editor: Editor | undefined;
    file: string;
    opened: string;
    form: DocumentForm;
    fields: Fields;
    editable: Editable;
  },
): Promise<Fields> {
  for (let { editor } = work; ; editor ??= findEditor(session.io, session.prompts.available)) {
    if (editor) await openEditor(editor, work.file, session);
    try {
      const changes = await checkChanges(session, work);
      if (Object.keys(changes).length > 0)
        (await import("./difference.js")).showDifference(session, work.fields, changes);
      await warnOfUsualValue(work.editable.interpreters, changes, session.notes);
      return changes;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      if (error.exit !== exits.usage && error.exit !== exits.notFound) throw error;
      const complaints = formatComplaints(error);
      if (session.prompts.available) {
        session.notes.warn(complaints);
        if (error.hint !== undefined) session.notes.note(error.hint);
        if (await session.prompts.confirm({ message: "Edit the file again?" })) continue;
        throw toUnsendableError(error, "the edited text is invalid");
      }
      throw toUnsendableError(error, `the edited text is invalid: ${complaints}`, error.hint);
    }
  }
}

function toUnsendableError(error: CliError, message: string, hint?: string): CliError {
  return new CliError({
    ...{ exit: error.exit, code: error.code, message, cause: error },
    details: error.details.map(({ path, message: what }) => ({ path, message: what })),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Replaces flags in the messages with field names, because the user edited a file. */
function formatComplaints({ message, details }: CliError): string {
  if (details.length === 0) return message.replace(/^(invalid )?--/, "$1");
  return details.map(({ path, message: what }) => `${path.join(".")}: ${what}`).join("; ");
}

async function checkChanges(
  session: Session,
  {
    file,
    opened,
    form,
    fields,
    editable,
  }: { file: string; opened: string; form: DocumentForm; fields: Fields; editable: Editable },
): Promise<Fields> {
  const content = await readTextFile(file, "the file", session, {
    empty: "the file is empty",
  });
  // Unchanged text means no changes, even if parsing would convert a value.
  if (content === Buffer.from(opened).toString()) return {};
  const written = parseEdited(content, fields, form);
  const names = Object.keys(fields);
  const unknown = Object.keys(written).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw usageError(`unknown field "${unknown}"`, {
      hint: `${suggestName(unknown, names)}fields: ${names.join(", ")}`,
    });
  const changed = Object.fromEntries(
    Object.entries(written).filter(
      ([name, value]) => stringifyExactJson(value) !== stringifyExactJson(fields[name]),
    ),
  );
  assertWholeText(changed);
  const flags = createFieldFlags(editable);
  const named = new Set(flags.filter(({ reference }) => reference).map(({ field }) => field.name));
  const given = Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => !(named.has(name) && value === null)),
  );
  checkDocumented(
    editable.noun.operations[editable.update]?.body,
    changed,
    flags,
    new Set(Object.keys(given)),
  );
  const givenNames = new Set([...named].filter((name) => Object.hasOwn(given, name)));
  const resolved = await resolveFields(given, flags, givenNames, session, () => session.connect(), byField);
  return { ...changed, ...resolved };
}

const byField = ({ field }: FieldFlag) => field.name;
