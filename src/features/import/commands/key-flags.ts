/**
 * Flags of `contacts import --key`. voxctl matches rows to contacts by the key column, and stores which
 * contact belongs to each key.
 */

import { resolve } from "node:path";
import { quoteWord } from "../../../base/shell-words.js";
import type { ImportFlags } from "../../../cli/bulk/flags.js";
import type { KeysOfFile } from "../../../cli/bulk/import.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { getKeyMapLocation } from "../../plans/commands/learner.js";
import type { ContactInput } from "../contacts/input.js";

const keyFlag: Flag = {
  name: "key",
  value: "column",
  description: "Column with your own ID, such as a customer number; takes precedence over --match",
  group: "Matching",
};

export const keyFlags: readonly Flag[] = [
  keyFlag,
  {
    name: "accept-new-map",
    description: "Allow a first import with --key to create contacts in a group that is not empty",
    group: "Safety",
  },
  {
    name: "accept-rekey",
    description: "Continue even if many keys now identify different contacts or come from a different column",
    group: "Safety",
  },
];

export interface ImportKeyFlags {
  column: string;
  /** Path as typed. */
  stateFile: string | undefined;
  acceptNewMap: boolean;
  acceptRekey: boolean;
}

/**
 * Reads the key flags; returns undefined without --key.
 * @throws usage error (exit code 2) for flags that require --key or conflict with it
 */
export function readKeys(input: Input, { onMatch, newRun }: ImportFlags): ImportKeyFlags | undefined {
  const column = input.text("key");
  if (column === undefined) {
    for (const name of ["state", "accept-new-map", "accept-rekey"])
      if (input.has(name)) throw usageError(`--${name} requires --key`);
    return undefined;
  }
  if (onMatch === "create")
    throw usageError("--key can't be combined with --on-match create, which doesn't compare contacts", {
      hint: "to keep existing contacts unchanged, use --on-match skip",
    });
  if (newRun)
    throw usageError(
      "--key can't be combined with --new-run: an import with --key always resumes its interrupted run",
      {
        hint: "undo the interrupted run: `voxctl runs undo RUN`",
      },
    );
  return {
    column,
    stateFile: input.text("state"),
    acceptNewMap: input.on("accept-new-map") === true,
    acceptRekey: input.on("accept-rekey") === true,
  };
}

export function createKeysOf(
  session: Session,
  input: ContactInput,
  { match, onMatch, plan }: ImportFlags,
  { clearEmpty, keys }: { clearEmpty: readonly string[]; keys: ImportKeyFlags },
): KeysOfFile {
  const { column: keyColumn, stateFile, acceptNewMap, acceptRekey } = keys;
  const file = input.source.name;
  const isReplacing = onMatch === "replace";
  const loadFile = async () => {
    const { contactSubject } = await import("../../sync/index.js");
    const subject = contactSubject(input, { match, clearEmpty: isReplacing ? clearEmpty : undefined });
    return { subject, file, keyColumn };
  };
  return {
    async check({ folder }) {
      const { assertKeysOfFile } = await import("../../sync/index.js");
      await assertKeysOfFile(await loadFile(), input.source.rows(), folder);
    },
    async open(context, { groupId = "", groupName }) {
      if (plan !== undefined && groupId === "")
        throw usageError(
          `contact group "${groupName}" not found: --plan with --key requires an existing group`,
          {
            hint: `create the group: \`voxctl groups create --type contacts --name ${quoteWord(groupName)}\``,
          },
        );
      const { createImportKeys } = await import("../../sync/index.js");
      const { cwd } = session.io;
      return createImportKeys({
        ...(await loadFile()),
        location: getKeyMapLocation(session, context),
        ...{ groupId, groupName, onMatch, acceptNewMap, acceptRekey },
        stateFile:
          stateFile === undefined
            ? undefined
            : { given: stateFile, directory: cwd, path: resolve(cwd, stateFile) },
        remark: session.notes.note,
      });
    },
  };
}
