import { inflect } from "../../../base/text.js";
import { contacts as contactOperations } from "../../../contract/public/contacts.js";
import { runOnGroups, showChanged } from "../../../features/sync/commands/groups-run.js";
import { groupRunFlags } from "../../bulk/bulk-flags.js";
import { sealFlags } from "../../bulk/plan-file.js";
import { withRefusals } from "../../bulk/refusals.js";
import { noteRecreation } from "../../bulk/run-notes.js";
import type { Noun } from "../../derive/noun.js";
import { operationCommand } from "../../derive/resource.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { createContactMatcher, searchFilter } from "./search.js";

const maxShown = 50;

const bulkOnly: readonly Flag[] = [
  {
    name: "group",
    value: "name|id",
    description: "With --search: delete only contacts in this group",
    default: "all groups",
  },
  {
    name: "max-delete",
    value: "number|percent",
    description: "Stop (exit code 12) if the number of contacts to delete exceeds this limit",
    default: "10% of the contacts, at least 1 and at most 200",
  },
  ...sealFlags,
  { name: "report", value: "file", description: "Results file (NDJSON) with all contacts that match" },
  ...groupRunFlags,
];

export function createDeleteCommand(noun: Noun): Command {
  const single = operationCommand("contacts.delete", contactOperations["contacts.delete"], noun);
  return {
    ...single,
    description:
      "Instead of an ID, you can use a complete name, email or number (with or without country code) that only one contact has.\n\n--search " +
      "reads all groups, or only the one in --group, and deletes up to --max-delete contacts. Each " +
      "contact is read again before it is deleted, and kept if another user changed it.\n\nA deletion with --search is a run: " +
      "`voxctl runs undo RUN` creates the contacts again with new IDs. The deletion of a single contact can't be undone.",
    arguments: (single.arguments ?? []).map((argument) => ({ ...argument, optional: true })),
    flags: [
      {
        ...searchFilter.flag,
        description: "Delete every contact that `voxctl contacts list --search` finds with this text",
      },
      ...(single.flags ?? []),
      ...bulkOnly.map((flag) => ({ ...flag, requires: "search" })),
    ],
    examples: [
      ...single.examples,
      { command: "voxctl contacts delete --search @beispiel.example --dry-run" },
      { command: "voxctl contacts delete --search Schmidt --group Patienten --max-delete 5 --yes" },
      {
        command: "voxctl contacts delete --search Schmidt --plan weg.plan",
        note: "Save the deletion for review",
      },
    ],
    async run(session, input) {
      const [id] = input.arguments;
      const search = input.text("search");
      if (id !== undefined && search !== undefined)
        throw usageError("<contact> and --search can't be combined");
      if (search === undefined) {
        if (id === undefined)
          throw usageError("missing argument: <contact>", {
            hint: "pass an ID, name or number, or use --search TEXT to delete several contacts",
          });
        await single.run(session, input);
        return;
      }
      if (search.trim() === "")
        throw usageError("invalid --search: the text is empty and would match all contacts");
      await withRefusals(() => deleteMatching(session, input, search.trim()));
    },
  };
}

async function deleteMatching(session: Session, input: Input, search: string): Promise<void> {
  const { deleteContacts } = await import("../../../features/sync/index.js");
  const { parseBound } = await import("../../../features/import/index.js");
  const isMatch = await createContactMatcher(search, session);
  const maxDelete = input.text("max-delete");
  const bound = maxDelete === undefined ? undefined : parseBound(maxDelete, "--max-delete");
  const isLooking = input.on("dry-run") === true;
  const summary = await runOnGroups(
    session,
    input,
    { verb: "delete", flags: [searchFilter.flag, ...bulkOnly], isLooking },
    ({ context, task, note, clear, confirm }) =>
      deleteContacts(context, {
        ...task,
        isSelected: isMatch,
        maxDelete: bound,
        async showMatches(lines) {
          clear();
          await showMatches(session, lines, search, note);
        },
        async confirm(contacts) {
          if (contacts > 0)
            await confirm(`Delete ${inflect(contacts, "this contact", `these ${contacts} contacts`)}?`);
        },
      }),
  );
  const { run_id, plan_id, rows: contacts, outcomes, requests, report } = summary;
  const { found = 0, deleted = 0, failed = 0, drifted = 0, unknown = 0 } = outcomes;
  if (run_id !== null && deleted > 0) noteRecreation(session, deleted, "contact", run_id);
  const counts = { contacts, found, deleted, failed, drifted, unknown, requests };
  const view = { run_id, plan_id, ...counts, report };
  await showChanged(session, summary, { view, isLooking, write: "delete", noun: "contact", done: "deleted" });
}

async function showMatches(
  session: Session,
  lines: readonly string[],
  search: string,
  note: (text: string) => void,
): Promise<void> {
  if (lines.length === 0) note(`no contact matches "${search}"`);
  const shown = lines.slice(0, maxShown).map((line) => `- ${line}`);
  const more = lines.length > maxShown ? [`… and ${lines.length - maxShown} more`] : [];
  if (session.output.format === "table") await session.output.lines([...shown, ...more]);
  else for (const line of [...shown, ...more]) note(line);
}
