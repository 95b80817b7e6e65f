import type { RunContext } from "../engine/context.js";
import { runImport } from "../engine/import.js";
import type { ImportSummary } from "../engine/summary.js";
import { contactAdapter } from "./adapter.js";
import { createExistingContacts } from "./existing-contacts.js";
import type { MatchKey } from "./identity.js";
import type { ContactInput } from "./input.js";
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
    adapter: (groupId) => contactAdapter(context.client, groupId),
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
      const existing = createExistingContacts(journal.database, compares ? match : undefined);
      const groupId = options.groupIsNew ? undefined : options.groupId;
      return planFile(context, journal, existing, { input, groupId, match, onMatch });
    },
  });
}
