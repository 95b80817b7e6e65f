import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFields } from "../../../base/fields.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { ImportFlags } from "../../bulk/flags.js";
import { importContactsFile } from "../../bulk/import.js";
import { rejectedColumns } from "../../bulk/rejected-rows.js";
import { toImportView } from "../../bulk/summary.js";
import { type BulkTarget, readAuthor } from "../../bulk/target.js";
import { usageError } from "../../errors/errors.js";
import { contacts } from "../../nouns/contacts/index.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { columnsOf } from "../../terminal/columns.js";
import { styled } from "../../terminal/paint.js";
import { createOfficeExport } from "./office-export.js";

const fileName = "kunden-export.csv";
const groupName = "Kunden";
const shownContacts = 5;
const rehearseStory = "rehearse";

export const demo: Command = {
  name: "demo",
  summary: "Run a short demo on temporary data",
  description:
    "Uses a temporary emulator and deletes its data at the end. " +
    "`voxctl demo rehearse` shows how to rehearse an import.",
  arguments: [
    {
      name: "story",
      description: "rehearse: rehearse an import on a copy of an organization, then apply the changes",
      optional: true,
      choices: [rehearseStory],
    },
  ],
  examples: [
    { command: "voxctl demo" },
    { command: "voxctl demo rehearse", note: "Rehearse and apply an import" },
  ],
  async run(session, input) {
    const [story] = input.arguments;
    if (story === undefined) return showDemo(session);
    if (story !== rehearseStory)
      throw usageError(`unknown demo "${story}"`, { hint: "run `voxctl demo rehearse`" });
    const { showRehearsal } = await import("./rehearse.js");
    await showRehearsal(session);
  },
};

async function showDemo(session: Session): Promise<void> {
  const { openEmulator } = await import("../../../emulator/index.js");
  // Once `signal` has been read, Ctrl-C aborts it instead of ending the process, so the demo can delete its
  // directory.
  const { signal } = session;
  const folder = await mkdtemp(join(tmpdir(), "voxctl-demo-"));
  const emulator = await openEmulator({ db: ":memory:", clock: "virtual", seed: "empty" });
  const { base_url, keys } = emulator.startLine;
  const target: BulkTarget = {
    clientOptions: {
      targets: { public: { baseUrl: base_url, key: keys.admin } },
      transport: emulator.transport,
      clock: emulator.clock,
      random: session.random,
    },
    baseUrl: base_url,
    profile: "demo",
    inProcess: true,
    isEmulator: () => true,
    clock: emulator.clock,
    machineClock: session.clock,
    signal,
    notes: session.notes,
    folder: join(folder, "runs"),
    maxWaitMilliseconds: undefined,
    author: readAuthor(session),
    // The demo itself prints the rejected rows.
    showRejected: undefined,
    onStep: undefined,
  };
  try {
    await writeFile(join(folder, fileName), createOfficeExport());
    const first = await importFile(target, folder);
    if (session.flags.output !== undefined && session.flags.output !== "table") {
      const second = await importFile(target, folder);
      await session.output.item({ first: toDemoView(first), second: toDemoView(second) });
      return;
    }
    await showStory(session, target, folder, first);
  } catch (error) {
    // Don't show the import's own error, which suggests resuming: the demo deletes the import's data.
    signal.throwIfAborted();
    throw error;
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function showStory(
  session: Session,
  target: BulkTarget,
  folder: string,
  first: WriteSummary,
): Promise<void> {
  const { output, notes } = session;
  const { paint } = notes;
  const { Table } = await import("../../output/table.js");
  const style = {
    available: () =>
      session.io.stdout.isTTY === true ? columnsOf(session.io, session.io.stdout) : undefined,
    paint,
    plain: session.flags.plain,
  };
  const heading = (text: string) => output.lines(["", paint.bold(text)]);

  await heading(`Imported a list of ${first.rows} customers into the group "${groupName}":`);
  await output.text(formatSummary(first));
  const rejected = await readResults(first.report, "invalid");
  await heading(`${rejected.length} rows were not imported:`);
  await output.text(new Table(rejectedColumns, style).lines(rejected));
  await heading(`The first ${shownContacts} contacts in the group, with normalized numbers:`);
  const columns = contacts.columns.filter(({ header }) => header !== "GROUP");
  await output.text(new Table(columns, style).lines(await readFirstContacts(target, first)));

  await heading("Imported the same file again:");
  const second = await importFile(target, folder);
  await output.text(formatSummary(second));
  await output.lines([
    "",
    "No contact was created twice. The demo data was deleted. To continue with your own data:",
    "",
    ...[
      "voxctl contacts list --profile offline",
      "voxctl contacts import FILE --group NAME --create-group --country DE --dry-run --profile offline",
      "voxctl profiles add NAME --url https://HOST/api/v1",
      "voxctl help",
    ].map((command) => styled`  ${paint.cyan(command)}`),
  ]);
}

async function importFile(target: BulkTarget, folder: string): Promise<WriteSummary> {
  const { openContactInput, openSource } = await import("../../../features/import/index.js");
  const source = await openSource(
    { path: join(folder, fileName) },
    { name: fileName, temporaryFolder: folder },
  );
  try {
    const { summary } = await importContactsFile(
      target,
      await openContactInput(source, { country: "DE" }),
      flags,
    );
    return summary;
  } finally {
    await source.close();
  }
}

/** Flags of `voxctl contacts import kunden-export.csv --group Kunden --create-group --country DE`. */
const flags: ImportFlags = {
  file: fileName,
  noWait: false,
  finalCheck: true,
  outageMilliseconds: undefined,
  group: groupName,
  createGroup: true,
  country: "DE",
  map: undefined,
  match: ["phone"],
  onMatch: "skip",
  strict: false,
  dryRun: false,
  newRun: false,
  report: undefined,
  settleMilliseconds: undefined,
};

function formatSummary(summary: WriteSummary): string {
  const { created, unchanged, duplicates, invalid } = toImportView(summary);
  return [
    `  ${created} created`,
    `  ${unchanged} already in the group`,
    `  ${duplicates} duplicates in the file`,
    `  ${invalid} invalid`,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function toDemoView(summary: WriteSummary) {
  const { report: _, ...view } = toImportView(summary);
  return view;
}

async function readResults(path: string, outcome: string): Promise<unknown[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))
    .filter((line) => isFields(line) && line["outcome"] === outcome);
}

async function readFirstContacts(target: BulkTarget, { group_id }: WriteSummary): Promise<unknown[]> {
  const { createClient } = await import("../../../client/client.js");
  const rows: unknown[] = [];
  const query = group_id === null ? {} : { group_id };
  const client = createClient(target.clientOptions);
  for await (const row of client.items("contacts.list", { query }, { limit: shownContacts })) rows.push(row);
  return rows;
}
