import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilAborted } from "../../../base/abort.js";
import { stopwatch } from "../../../base/clock.js";
import { stringifyExactJson } from "../../../base/exact-json.js";
import { type Fields, getText, isFields } from "../../../base/fields.js";
import { quoteWord } from "../../../base/shell-words.js";
import { capitalize } from "../../../base/text.js";
import type { Client } from "../../../client/types.js";
import { readPlanOutput, sealFlags } from "../../bulk/plan-file.js";
import { withRefusals } from "../../bulk/refusals.js";
import { formatApplyHint } from "../../bulk/run-notes.js";
import { isNotFound } from "../../derive/ignore-not-found.js";
import type { Noun } from "../../derive/noun.js";
import { dryRunFlag, printRequests, resolvePlannedPath } from "../../derive/requests.js";
import { listFields } from "../../derive/schema.js";
import { CliError, changedMeanwhileError, exits, refusedError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { findEditedId, formatEditComment } from "../../session/edited-file.js";
import type { Input } from "../../session/input.js";
import { describeAccepted, resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { readTextFile } from "../../session/text-source.js";
import { readEditedChanges } from "./changes.js";
import { type DocumentForm, formatEdited } from "./document.js";
import { type Editable, emptiesText, pickEditableFields, toPathParameters } from "./editable.js";
import { findEditor } from "./editor.js";

export function createEditCommand(editable: Editable): Command {
  const { noun, textField, examples, description } = editable;
  return {
    name: "edit",
    summary: `Edit the resource in your editor and send the changes`,
    description: `voxctl writes the resource to a file (${textField === undefined ? "YAML" : "Markdown, or YAML with --format yaml"}) and opens it in $VISUAL or $EDITOR. When the editor closes, voxctl validates the text and shows the changes. On a terminal, it asks for confirmation.${description === undefined ? "" : `\n\n${description}`}\n\nBefore voxctl sends the changes, it reads the resource again. If another user has changed it, voxctl sends no changes (exit code 6) and keeps the file. A change made between this read and the write is not detected.`,
    arguments: [
      {
        name: noun.noun.replaceAll(" ", "-"),
        description: capitalize(describeAccepted(noun.referable ?? {})),
      },
    ],
    flags: [
      ...(textField === undefined
        ? []
        : [
            {
              name: "format",
              value: "format",
              description: "Format of the file",
              choices: ["md", "yaml"],
              strict: true,
              default: "md",
            },
          ]),
      {
        name: "from",
        value: "file",
        description: "Send this edited file instead of opening the editor",
      },
      dryRunFlag,
      ...sealFlags,
    ],
    examples,
    run: (session, input) => withRefusals(() => edit(session, input, editable)),
  };
}

/** An editor that exits faster than this probably runs in the background. */
const quickMilliseconds = 1_000;

async function edit(session: Session, input: Input, editable: Editable): Promise<void> {
  const { noun, textField } = editable;
  const isDryRun = input.on("dry-run") === true;
  const folder = await mkdtemp(join(tmpdir(), "voxctl-edit-"));
  const from = input.text("from");
  const isYaml = from === undefined ? input.text("format") === "yaml" : /\.ya?ml$/i.test(from);
  const isMarkdown = textField !== undefined && !isYaml;
  const file = join(folder, `${noun.name}.${isMarkdown ? "md" : "yaml"}`);
  let isKept = false;
  let opened = "";
  let keptIn = async () => file;
  try {
    const plan = readPlanOutput(session, input, file, [noun.name, "edit", input.arguments[0] ?? ""]);
    const { client } = await session.connect({ mutates: !isDryRun && plan === undefined });
    const id = await resolveId(session, client, input, noun);
    const before = await readRecord(session, client, editable, id);
    const fields = pickEditableFields(before, editable);
    const form: DocumentForm = {
      textField: isMarkdown ? textField : undefined,
      comment: formatEditComment(noun.noun, id),
    };
    const editor = from === undefined ? findEditor(session.io, session.prompts.available) : undefined;
    opened = formatEdited(fields, form);
    const written = from === undefined ? opened : await readGivenFile(from, id, session);
    await writeFile(file, written, { mode: 0o600 });
    // Messages name the file from --from. If the user has edited it, messages name the temporary file.
    keptIn = async () =>
      from === undefined || from === "-" || (await readFile(file, "utf8").catch(() => "")) !== written
        ? file
        : from;
    isKept = true;
    const begunAt = stopwatch(session.clock);
    const changes = await readEditedChanges(session, { editor, file, opened, form, fields, editable });
    if (Object.keys(changes).length === 0) {
      isKept = false;
      session.notes.note("No changes were made.");
      if (session.prompts.available && stopwatch(session.clock) - begunAt < quickMilliseconds)
        session.notes.note(
          "A graphical editor needs a flag that makes it wait until the file is closed, such as `code --wait`",
        );
      // Write the plan file even without changes, so that `voxctl apply` doesn't apply an older plan at this
      // path.
      if (plan) await sealEdit(session, { plan, id, changes, before, editable, client });
      return;
    }
    const isEmptied = emptiesText(textField, fields, changes);
    // Without a terminal, empty text is probably the output of a failed filter.
    if (isEmptied && !session.prompts.available && !session.flags.yes)
      throw refusedError(
        "suspicious_input",
        `${textField} is empty; nothing was sent`,
        "use --yes to send empty text",
      );
    if (isDryRun) {
      await printRequests(session, [
        {
          method: "PATCH",
          path: await resolvePlannedPath(session, editable.update, toPathParameters(editable, id)),
          body: changes,
        },
      ]);
      isKept = false;
      return;
    }
    if (plan) {
      await sealEdit(session, { plan, id, changes, before, editable, client });
      isKept = false;
      return;
    }
    if (session.prompts.available && !session.flags.yes) {
      await assertUnchanged(session, client, { editable, id, fields, file: await keptIn() });
      const isSent = await session.prompts.confirm({
        message: `Update ${getText(before, "name") || id}${isEmptied ? ` and remove its ${textField}` : ""}?`,
        default: !isEmptied,
      });
      if (!isSent)
        throw refusedError(
          "not_confirmed",
          "not confirmed; no changes were made",
          formatResumeHint(await keptIn(), noun, input.arguments[0] ?? id),
        );
    }
    await assertUnchanged(session, client, { editable, id, fields, file: await keptIn() });
    const { data } = await client.call(
      editable.update,
      { path: toPathParameters(editable, id), body: changes },
      { signal: session.signal },
    );
    isKept = false;
    await session.output.item(data, {
      columns: noun.columns,
      fields: listFields(noun.operations[editable.update]?.response).map(({ name }) => name),
    });
  } catch (error) {
    // If the editor did not start or deleted the file, there is no text to keep.
    const left = await readFile(file, "latin1").catch(() => "");
    isKept &&= left !== "" && left !== Buffer.from(opened).toString("latin1");
    const keptPath = await keptIn();
    const isInHint = error instanceof CliError && error.hint?.includes(keptPath);
    if (isKept && !isInHint) session.notes.note(formatResumeHint(keptPath, noun, input.arguments[0] ?? ""));
    isKept &&= keptPath === file;
    throw error;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

function formatResumeHint(file: string, noun: Noun, name: string): string {
  const command = `voxctl ${noun.name} edit ${quoteWord(name)} --from ${quoteWord(file)}`;
  return `your text is in ${file}; to continue, run \`${command}\``;
}

/** @throws usage error (2) for a file that belongs to another resource */
async function readGivenFile(from: string, id: string, session: Session): Promise<string> {
  const empty = `invalid --from: ${from} is empty`;
  const content = await untilAborted(
    readTextFile(from, `--from ${from}`, session, { empty }),
    session.signal,
  );
  const openedFor = findEditedId(content);
  if (openedFor !== undefined && openedFor !== id)
    throw usageError(`invalid --from: ${from} belongs to ${openedFor}, not to ${id}`);
  return content;
}

async function resolveId(session: Session, client: Client, input: Input, noun: Noun): Promise<string> {
  const value = input.arguments[0] ?? "";
  const argument = `<${noun.noun.replaceAll(" ", "-")}>`;
  if (value === "" || !noun.referable) throw usageError(`${argument} is empty`);
  return resolveReference(client, noun.referable, value, argument, session);
}

async function readRecord(session: Session, client: Client, editable: Editable, id: string): Promise<Fields> {
  const path = toPathParameters(editable, id);
  const { data } = await client.call(editable.get, { path }, { signal: session.signal });
  if (isFields(data)) return data;
  throw new CliError({
    exit: exits.unavailable,
    code: "invalid_response",
    message: "the response has no fields to edit",
  });
}

/** @throws conflict (6) if the resource changed since it was opened */
async function assertUnchanged(
  session: Session,
  client: Client,
  { editable, id, fields, file }: { editable: Editable; id: string; fields: Fields; file: string },
): Promise<void> {
  const { noun } = editable;
  const record = await readRecord(session, client, editable, id).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw changedMeanwhileError(
      `the ${noun.noun} was deleted since you opened the editor; nothing was sent`,
      `your text is in ${file}; to create the ${noun.noun} again, use \`voxctl ${noun.name} create\``,
    );
  });
  const now = pickEditableFields(record, editable);
  const differing = Object.keys(fields).filter(
    (name) => stringifyExactJson(fields[name]) !== stringifyExactJson(now[name]),
  );
  if (differing.length === 0) return;
  throw changedMeanwhileError(
    `another user changed ${differing.join(", ")} since you opened the editor; nothing was sent`,
    `your text is in ${file}; compare it with the current value: \`voxctl ${noun.name} edit ${id} --from ${quoteWord(file)}\``,
  );
}

async function sealEdit(
  session: Session,
  {
    plan,
    id,
    changes,
    before,
    editable,
    client,
  }: {
    plan: NonNullable<ReturnType<typeof readPlanOutput>>;
    id: string;
    changes: Fields;
    before: Fields;
    editable: Editable;
    client: Client;
  },
): Promise<void> {
  const [{ sealPlan, updateStep }, { version }] = await Promise.all([
    import("../../../write/plan/index.js"),
    import("../../session/version.js"),
  ]);
  const { signal, clock: machineClock } = session;
  const baseUrl = (await session.connect()).baseUrl("public") ?? "";
  const isChanged = Object.keys(changes).length > 0;
  const steps = isChanged ? [updateStep(editable.noun.name, id, changes, before, { step: 1 })] : [];
  const sealed = await sealPlan(
    { client, signal, baseUrl, machineClock, folder: tmpdir() },
    { ...plan, madeBy: `voxctl ${version}` },
    steps,
  );
  session.notes.note(`Saved plan ${sealed.id} to ${plan.file}. ${formatApplyHint(plan.file)}`);
  await session.output.item({ plan_id: sealed.id, steps: sealed.steps, file: plan.file });
}
