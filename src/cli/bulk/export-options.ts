import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { describeFsError } from "../../base/describe-fs-error.js";
import { type FileTarget, resolveFileTarget } from "../../base/file-target.js";
import { fileExistsError, usageError } from "../errors/errors.js";
import { assertNoDanglingLink } from "../output/replaceable.js";
import type { Input } from "../session/input.js";
import type { Session } from "../session/session.js";

export async function printText(text: AsyncIterable<string>, { output }: Session): Promise<void> {
  for await (const piece of text) await output.document(piece);
}

/** Returns false for a pipe or a device, which may be standard output. */
export function isRegularFileTarget(target: FileTarget): boolean {
  return target.type === "absent" || target.type === "file";
}

/**
 * Refuses --fields and --jq, because an export contains complete resources.
 * @param list command that lists the same resources, such as `contacts list --all`
 * @throws usage error (2)
 */
export function assertWholeExport({ flags }: Pick<Session, "flags">, list: string): void {
  const refuse = (flag: string, instead: string) =>
    usageError(`${flag} can't be used with an export`, {
      hint: `use \`voxctl ${list} ${instead}\``,
    });
  if (flags.fields) throw refuse("--fields", `--fields ${flags.fields.join(",")} -o csv`);
  if (flags.jq !== undefined) throw refuse("--jq", "--jq EXPRESSION");
}

export interface ExportForms<Form extends string> {
  byEnding: Readonly<Record<string, Form>>;
  endings: string;
  hint?: string;
  list: string;
}

export interface ExportOptions<Form extends string> {
  file: string | undefined;
  /** Undefined for standard output. */
  target: FileTarget | undefined;
  format: Form;
}

/** @throws usage error (2), refused error (12) if the file exists */
export async function readExportOptions<Form extends string>(
  session: Session,
  input: Input,
  forms: ExportForms<Form>,
): Promise<ExportOptions<Form>> {
  const { io } = session;
  assertWholeExport(session, forms.list);
  const [file] = input.arguments;
  const path = file === undefined || file === "-" ? undefined : resolve(io.cwd, file);
  const flag = input.text("format");
  const format =
    path === undefined ? selectFormatByOutput(session, flag, forms) : selectFormat(flag, path, forms);
  // Don't write a spreadsheet to standard output: a terminal can't show it, and other programs can read CSV.
  if (format === "xlsx" && path === undefined)
    throw usageError("a spreadsheet can't be written to standard output: pass a file name");
  if (session.flags.excel && format !== "csv")
    throw usageError(`--excel requires the format csv, but the format is ${format}`);
  const target = path === undefined ? undefined : await openExportTarget(path, input.on("force") === true);
  return { file, target, format };
}

function selectFormatByOutput<Form extends string>(
  { flags }: Session,
  flag: string | undefined,
  forms: ExportForms<Form>,
): Form {
  if (flags.output === undefined || flags.isOutputPreferred) return selectFormat(flag, undefined, forms);
  const outputFormat = flags.output === "ndjson" ? "jsonl" : flags.output;
  const form = Object.values(forms.byEnding).find((candidate) => candidate === outputFormat);
  if (form !== undefined && (flag === undefined || flag === form)) return form;
  const all = [...new Set(Object.values(forms.byEnding))].join(", ");
  throw usageError(`invalid --output ${flags.output} for an export: expected ${all}`, {
    hint: `use \`voxctl ${forms.list} -o ${flags.output}\``,
  });
}

function selectFormat<Form extends string>(
  flag: string | undefined,
  path: string | undefined,
  { byEnding, endings, hint }: ExportForms<Form>,
): Form {
  const ending = path === undefined ? "" : extname(path).toLowerCase();
  const format = Object.values(byEnding).find((candidate) => candidate === flag) ?? byEnding[ending];
  if (format !== undefined) return format;
  throw usageError(
    `unsupported file extension "${ending}": expected ${endings}`,
    hint === undefined ? {} : { hint },
  );
}

/** @throws usage error (2), refused error (12) */
async function openExportTarget(path: string, force: boolean): Promise<FileTarget> {
  const impossible = (cause: unknown) => {
    throw usageError(`${path} can't be written: ${describeFsError(cause, "write")}`, { cause });
  };
  const target = await resolveFileTarget(path).catch(impossible);
  if (target.type === "folder") throw usageError(`${path} can't be written: it is a directory`);
  if (target.type === "other") throw usageError(`${path} can't be written: it is neither a file nor a pipe`);
  if (!force && target.type === "file") throw fileExistsError(path);
  if (!force) assertNoDanglingLink(target, path);
  const replaced = target.isDangling ? { ...target, path } : target;
  // Check the directory, because the export creates its partial file there.
  if (isRegularFileTarget(replaced)) await access(dirname(replaced.path), constants.W_OK).catch(impossible);
  return replaced;
}
