import { runImport } from "../engine/import.js";
import type { RunContext } from "../engine/run.js";
import type { ImportSummary } from "../engine/summary.js";
import type { MatchKey } from "./identity.js";
import type { ContactInput } from "./input.js";
import { importKind } from "./kind.js";
import { createMembers } from "./members.js";
import type { OnMatch } from "./plan.js";
import { planFile } from "./planning.js";

export interface ImportOptions {
  input: ContactInput;
  /** Undefined in a dry run whose group does not exist yet. */
  groupId: string | undefined;
  groupName: string;
  /** It was made a moment ago and is empty. */
  groupIsNew: boolean;
  /** The profile's name, to find the way back to the service. */
  profile: string;
  country: string | undefined;
  map: string | undefined;
  match: readonly MatchKey[];
  onMatch: OnMatch;
  strict: boolean;
  dryRun: boolean;
  newRun: boolean;
  /** Default: beside the run. */
  reportPath: string | undefined;
}

/** Imports contacts into a group, as `runImport` says. */
export function importContacts(context: RunContext, options: ImportOptions): Promise<ImportSummary> {
  const { input, match, onMatch, country, map, ...task } = options;
  const compares = onMatch !== "create";
  return runImport(context, {
    ...task,
    kind: "contacts",
    file: input.source.name,
    digest: input.source.digest,
    options: {
      country: country?.toUpperCase() ?? null,
      map: map ?? null,
      match: compares ? [...match].sort() : null,
      on_match: onMatch,
    },
    once: !compares,
    plan: (journal) => {
      const members = createMembers(journal.database, compares ? match : undefined);
      const groupId = options.groupIsNew ? undefined : options.groupId;
      return planFile(context, journal, members, { input, groupId, match, onMatch });
    },
    requests: (journal, groupId) => importKind(context.client, journal, groupId),
  });
}
