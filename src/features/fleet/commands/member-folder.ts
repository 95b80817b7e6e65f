/** The files that a fleet's commands read. Each machine that runs a member gets a copy of them. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { type CliError, usageError } from "../../../cli/errors/errors.js";
import type { ParsedLine } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetTables } from "../../../store/index.js";
import type { MemberRow } from "../index.js";
import type { MemberFolder } from "./fleet-run.js";
import { getLogFolder } from "./member-logs.js";

const mostBytes = 64 * 1_024 * 1_024;

export interface TravelingFiles {
  contents: Buffer[];
  copy(line: ParsedLine, words: readonly string[]): Promise<Pick<MemberRow, "words" | "files">>;
}

export function collectFiles({ io }: Session): TravelingFiles {
  const contents: Buffer[] = [];
  const copies = new Map<string, string>();
  let bytes = 0;
  const copyFile = async (path: string): Promise<string> => {
    const full = resolve(io.cwd, path);
    const known = copies.get(full);
    if (known !== undefined) return known;
    if (!(await stat(full).catch(() => undefined))?.isFile())
      throw cannotShare(
        `${path} is not a regular file; only regular files can be sent to the other machines`,
      );
    const content = await readFile(full);
    bytes += content.length;
    if (bytes > mostBytes)
      throw usageError("the files of the command are larger than 64 MB", {
        hint: "use `voxctl fleet plan`, then `voxctl fleet apply`",
      });
    const copy = join(String(contents.length), basename(full));
    contents.push(content);
    copies.set(full, copy);
    return copy;
  };
  return {
    contents,
    async copy({ accepts, input }, words) {
      const flag = accepts.flags.find(({ name, value = "" }) => {
        const text = input.text(name);
        return (
          text !== undefined &&
          (isPath(value) || (value.startsWith("file|") && existsSync(resolve(io.cwd, text))))
        );
      });
      if (flag !== undefined)
        throw cannotShare(`--${flag.name} is a path on this machine, but other machines run the command`);
      const replaced = new Map<string, string>();
      for (const [index, { name }] of accepts.arguments.entries()) {
        const path = input.arguments[index];
        if (path !== undefined && isPath(name) && !URL.canParse(path))
          replaced.set(path, await copyFile(path));
      }
      return {
        words: words.map((word) => replaced.get(word) ?? word),
        files: [...new Set(replaced.values())],
      };
    },
  };
}

function isPath(name: string): boolean {
  return ["file", "plan", "directory", "path"].includes(name);
}

function cannotShare(message: string): CliError {
  return usageError(message, { hint: "to run the fleet on this machine only, set VOXCTL_STORE=local" });
}

export async function openMemberFolder(
  session: Session,
  tables: FleetTables,
  id: string,
  { files }: MemberRow,
): Promise<MemberFolder> {
  const logs = getLogFolder(session, id);
  await makePrivateFolder(logs);
  const path = await mkdtemp(join(logs, "files-"));
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    for (const file of files) {
      await mkdir(join(path, dirname(file)), { mode: 0o700 });
      await writeFile(join(path, file), await tables.readFile(id, Number(dirname(file))), { mode: 0o600 });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
