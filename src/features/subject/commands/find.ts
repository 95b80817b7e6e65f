import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withStoreCopies } from "../../../cli/bulk/store-copies.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { readSubject, subjectFlags } from "./flags.js";
import {
  localFlags,
  noteLocalSearch,
  readLocalOptions,
  searchLocalFiles,
  toLocalJson,
  toLocalRows,
} from "./local.js";
import { assertSearched, createMatchers, noteSearched, searchSubject } from "./search.js";

const view: View = {
  columns: [
    { header: "WHERE", value: "where", keep: true },
    { header: "ID", value: "id", keep: true },
    { header: "FIELD", value: "field", keep: true },
    { header: "FOUND BY", value: "by", optional: true },
    { header: "CERTAINTY", value: "certainty", keep: true },
    { header: "TEXT", value: "text" },
  ],
  fields: ["where", "id", "field", "by", "certainty", "text"],
  empty: "no matches in the searched data",
  noun: "occurrence",
};

export const findSubject: Command = {
  name: "find",
  summary: "Find a caller in contacts, calls and stored text",
  description:
    "Reads all contacts, calls and settings, and with --details also transcripts and stored text. A match is certain if the " +
    "phone number or email is the same. It is possible if the number might be the same, for example because " +
    "it has no country code. A match by name alone is a hint. Exits with code 68 if a source can't be read.",
  flags: [...subjectFlags, ...localFlags],
  examples: [
    { command: "voxctl subject find --phone +491713920001" },
    {
      command: "voxctl subject find --phone '0171 3920001' --country DE --details",
      note: "Also search transcripts",
    },
    {
      command: "voxctl subject find --email anna@example.org --name 'Anna Schmidt' -o json",
      note: "Include the searched sources",
    },
    {
      command: "voxctl subject find --phone +491713920001 --local --in .",
      note: "Also search voxctl's files and this directory",
    },
  ],
  run: (session, input) => withRefusals(() => runFind(session, input)),
};

async function runFind(session: Session, input: Input): Promise<void> {
  const localOptions = readLocalOptions(session, input);
  const matchers = await createMatchers(readSubject(input));
  const search = await searchSubject(session, matchers.matcher, { texts: input.on("details") === true });
  const { findings, further } = search;
  const occurrences = findings.resources.flatMap((finding) => finding.occurrences);
  const local =
    localOptions &&
    (await withStoreCopies(session, "subject find", (copies) =>
      searchLocalFiles(session, matchers, search, localOptions, copies),
    ));
  if (session.output.format === "json" || session.output.format === "yaml")
    await session.output.item({
      ...{ service: search.baseUrl, started_at: search.startedAt, ended_at: search.endedAt },
      ...{ occurrences, searched: findings.searched },
      not_searched: findings.notSearched.map(({ where, id, reason }) => ({ where, id, reason })),
      further,
      local: local === undefined ? null : toLocalJson(local),
    });
  else await session.output.list([...occurrences, ...toLocalRows(local)], view);
  noteSearched(session, { ...findings, further });
  noteLocalSearch(session, local);
  assertSearched(findings, local);
}
