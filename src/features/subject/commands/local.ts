import { statSync } from "node:fs";
import { resolve } from "node:path";
import { formatCount } from "../../../base/text.js";
import type { StoreCopies } from "../../../cli/bulk/store-copies.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { LocalFindings } from "../index.js";
import type { SubjectMatchers, SubjectSearch } from "./search.js";

export const localFlags: readonly Flag[] = [
  {
    name: "local",
    description:
      "Also search voxctl's files on this machine (runs, results files, plan files, mirrors, offline databases and others) and in the shared store",
    conflicts: ["plan"],
  },
  {
    name: "in",
    value: "path",
    repeatable: true,
    description:
      "With --local: additional file or directory to search, such as plan files, webhook captures and exports",
    requires: "local",
  },
];

/** Files and directories from --in, which are searched in addition to voxctl's own files. */
export interface LocalOptions {
  own: readonly string[];
}

/** @throws usage error (2) */
export function readLocalOptions(session: Session, input: Input): LocalOptions | undefined {
  const own = input.texts("in");
  if (input.on("local") !== true) return undefined;
  for (const path of own)
    if (statSync(resolve(session.io.cwd, path), { throwIfNoEntry: false }) === undefined)
      throw usageError(`--in: ${path} not found`);
  return { own: own.map((path) => resolve(session.io.cwd, path)) };
}

/** Also searches for the IDs of the caller's resources, because a file may contain only these IDs. */
export async function searchLocalFiles(
  session: Session,
  { withIds }: SubjectMatchers,
  { findings }: Pick<SubjectSearch, "findings">,
  { own }: LocalOptions,
  { copies: storeCopies, problem }: Pick<StoreCopies, "copies" | "problem">,
): Promise<LocalFindings> {
  const { listCallerIds, searchLocal } = await import("../index.js");
  const { folders, signal } = session;
  const matcher = withIds(listCallerIds(findings));
  const profile = (await session.profile()).name;
  const local = await searchLocal({ folders, profile, own, storeCopies, matcher, signal });
  if (problem !== undefined) local.notSearched.push({ area: "the store", ...problem });
  return local;
}

export function toLocalJson({ files, searched, notSearched }: LocalFindings) {
  return {
    occurrences: files.map(({ area, path, stored, locations: places, certainty }) => ({
      area: area.name,
      ...(stored === undefined ? { path } : "id" in stored ? { run: stored.id } : { group: stored.group }),
      places,
      certainty,
    })),
    searched,
    not_searched: notSearched,
  };
}

function toShownId({ path, stored }: LocalFindings["files"][number]): string {
  if (stored === undefined) return path;
  return "id" in stored ? stored.id : `group ${stored.group}`;
}

const maxLocations = 5;

export function toLocalRows(local: LocalFindings | undefined) {
  return (local?.files ?? []).map((file) => ({
    ...{ where: file.area.name, id: toShownId(file), by: "", certainty: file.certainty, text: "" },
    field: [
      ...file.locations.slice(0, maxLocations),
      ...(file.locations.length > maxLocations ? ["…"] : []),
    ].join(", "),
  }));
}

export function noteLocalSearch({ notes }: Session, local: LocalFindings | undefined): void {
  if (local === undefined) {
    notes.note("Not searched: local files (requires --local)");
    return;
  }
  const parts = local.searched.map(({ area, files }) => `${area} (${formatCount(files, "file")})`);
  notes.note(`Searched local files: ${parts.length === 0 ? "none" : parts.join(", ")}`);
  for (const { path, reason } of local.notSearched) notes.warn(`not searched: ${path}: ${reason}`);
}
