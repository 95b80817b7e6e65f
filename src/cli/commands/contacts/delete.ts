import { join, resolve } from "node:path";
import { counted, escapeControl } from "../../../base/text.js";
import type { DeleteSummary } from "../../../bulk/sync/delete.js";
import { contacts as contactOperations } from "../../../contract/public/contacts.js";
import type { Noun } from "../../derive/noun.js";
import { operationCommand } from "../../derive/resource.js";
import { partlyDoneError, unknownError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { groupRunFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { quietFlag } from "../bulk/flags.js";
import { readPlanPlace, sealFlags, typedWords } from "../bulk/plan-file.js";
import { withBulkRun } from "../bulk/run.js";
import { openImportTarget, quietTarget, runsFolder, summaryView, withRefusals } from "../bulk/session.js";
import { contactGroups } from "./groups.js";
import { ownReportPath } from "./report-path.js";
import { contactMatcher, searchFilter } from "./search.js";

/** Lines that a person can look through. */
const mostShown = 50;

const bulkOnly: readonly Flag[] = [
  {
    name: "group",
    value: "name|id",
    description: "with --search: only in this group",
    default: "in all groups",
  },
  {
    name: "max-delete",
    value: "number|percent",
    description: "refuse (12) where more than this would go",
    default: "10% of those that are there, at most 200",
  },
  ...sealFlags,
  { name: "report", value: "file", description: "where to write those that are meant (NDJSON)" },
  quietFlag,
  ...groupRunFlags,
];

/** `voxctl contacts delete ID`, and `contacts delete --search TEXT` for many. */
export function deleteContactsCommand(noun: Noun): Command {
  const single = operationCommand("contacts.delete", contactOperations["contacts.delete"], noun);
  return {
    ...single,
    description:
      "A whole name, number or address that one contact alone has stands for its id; the one that is found is shown. " +
      "With --search it deletes every contact with words or a number that begin so: all groups are read (or --group), who " +
      "would go is shown and asked, each is read again right before it goes, and one that others changed meanwhile stays. " +
      "No more than --max-delete go. voxctl runs undo makes them again, under new ids.",
    arguments: (single.arguments ?? []).map((argument) => ({ ...argument, optional: true })),
    flags: [
      {
        ...searchFilter.flag,
        description: "every contact with words that begin so, or a number that begins so",
      },
      ...(single.flags ?? []),
      ...bulkOnly,
    ],
    examples: [
      ...single.examples,
      { command: "voxctl contacts delete --search @beispiel.example --dry-run" },
      { command: "voxctl contacts delete --search Schmidt --group Patienten --max-delete 5 --yes" },
      {
        command: "voxctl contacts delete --search Schmidt --plan weg.plan",
        note: "for review",
      },
    ],
    async run(session, input) {
      const [id] = input.arguments;
      const search = input.text("search");
      if (id !== undefined && search !== undefined)
        throw usageError("<contact> and --search exclude each other; give one");
      if (search === undefined) {
        const stray = bulkOnly.find(({ name }) => input.has(name));
        if (stray) throw usageError(`--${stray.name} goes with --search`);
        if (id === undefined)
          throw usageError("<contact> is missing: its id, name or number, or --search TEXT for many");
        await single.run(session, input);
        return;
      }
      if (search.trim() === "") throw usageError("--search: is empty, which would mean everybody");
      await withRefusals(() => deleteFound(session, input, search.trim()));
    },
  };
}

async function deleteFound(session: Session, input: Input, search: string): Promise<void> {
  const isLooking = input.on("dry-run") === true;
  const plan = readPlanPlace(session, input);
  const isSending = !isLooking && plan === undefined;
  if (isSending) await session.assertConfirmable({ loses: false });
  const { deleteContacts } = await import("../../../bulk/sync/index.js");
  const { parseBound } = await import("../../../bulk/index.js");
  const maxDelete = input.text("max-delete");
  const bound = maxDelete === undefined ? undefined : parseBound(maxDelete, "--max-delete");
  const target = quietTarget(
    await openImportTarget(session, runsFolder(session), { dryRun: !isSending }),
    input.on("quiet") === true,
  );
  const folder = join(session.folders.data, "sync");
  const report = input.text("report");
  const summary = await withBulkRun(
    target,
    { ...readBulkFlags(input), command: "contacts delete" },
    async (context) =>
      deleteContacts(context, {
        groups: await contactGroups(session, context.client, input.text("group")),
        isMeant: contactMatcher(search),
        maxDelete: bound,
        dryRun: isLooking,
        planPath: plan?.path,
        force: plan?.force === true,
        passphrase: plan?.passphrase,
        folder,
        reportPath: report === undefined ? ownReportPath(session, "delete") : resolve(session.io.cwd, report),
        profile: target.profile,
        command: typedWords(["contacts", "delete"], input, [searchFilter.flag, ...bulkOnly]),
        madeBy: `voxctl ${version}`,
        random: session.random,
        confirm: async (lines) => {
          await show(session, lines, target.notes.note);
          if (isSending && lines.length > 0)
            await session.confirm(
              `Delete ${lines.length === 1 ? "this contact" : `these ${lines.length} contacts`}?`,
              { loses: false },
            );
        },
      }),
  );
  if (isLooking) session.notes.note("nothing was sent");
  if (plan !== undefined && summary.plan_id !== null)
    session.notes.note(
      `plan ${summary.plan_id} is in ${plan.file}; nothing was sent: voxctl apply ${plan.file}`,
    );
  if (isSending && summary.run_id !== null)
    session.notes.note(`voxctl runs undo ${summary.run_id} takes it back`);
  await session.output.item(summary, summaryView);
  assertDone(summary);
}

async function show(session: Session, lines: readonly string[], note: (text: string) => void): Promise<void> {
  const shown = lines.slice(0, mostShown).map((line) => `- ${line}`);
  const more = lines.length > mostShown ? [`… and ${lines.length - mostShown} more`] : [];
  if (session.output.format === "table")
    await session.output.text([...shown, ...more].map((line) => `${escapeControl(line)}\n`).join(""));
  else for (const line of [...shown, ...more]) note(line);
}

/** @throws CliError: unknown (75), partly done (68) */
function assertDone({ unknown, failed, drifted, deleted, report }: DeleteSummary): void {
  const hint = `those that were meant are listed in ${report}`;
  if (unknown > 0)
    throw unknownError(`it is unknown whether ${counted(unknown, "delete")} took effect`, hint);
  if (failed + drifted > 0)
    throw partlyDoneError(
      `${failed + drifted} of them were not deleted: refused, or changed by others meanwhile`,
      deleted > 0,
      hint,
    );
}
