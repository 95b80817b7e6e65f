import { CliError, type Exit, exits } from "../errors/errors.js";

export async function withRefusals(work: () => Promise<void>): Promise<void> {
  const { BulkError } = await import("../../write/index.js");
  try {
    await work();
  } catch (error) {
    throw error instanceof BulkError ? toRefusal(error) : error;
  }
}

function toRefusal(error: Error & { code: string; hint?: string | undefined }): CliError {
  const exit = refusalExits[error.code] ?? exits.usage;
  return new CliError({ exit, code: error.code, message: error.message, hint: error.hint, cause: error });
}

const refusalExits: Readonly<Record<string, Exit>> = {
  file_exists: exits.refused,
  run_finished: exits.refused,
  run_elsewhere: exits.refused,
  sync_unfinished: exits.refused,
  run_busy: exits.conflict,
  plan_elsewhere: exits.refused,
  too_many_updates: exits.refused,
  too_many_clears: exits.refused,
  unexpected_rows: exits.refused,
  file_incomplete: exits.refused,
  too_many_invalid: exits.refused,
  file_shrunk: exits.refused,
  too_many_deletes: exits.refused,
  map_lost: exits.refused,
  keys_reassigned: exits.refused,
  keys_of_several_groups: exits.refused,
  state_of_other_group: exits.refused,
  state_busy: exits.conflict,
  state_changed: exits.conflict,
  plan_outdated: exits.differences,
  plan_too_old: exits.refused,
  plan_not_allowed: exits.refused,
  plan_unprovable: exits.refused,
  run_taken: exits.conflict,
  store_changed: exits.conflict,
  store_denied: exits.authentication,
  store_key_wrong: exits.authentication,
  store_missing: exits.notFound,
  store_unavailable: exits.unavailable,
  store_newer: exits.refused,
  store_older: exits.refused,
  store_restored: exits.refused,
  store_other: exits.refused,
  store_damaged: exits.refused,
  group_busy: exits.conflict,
  group_wait: exits.rateLimit,
  run_not_found: exits.notFound,
  // The service may have more rows than voxctl could read.
  incomplete_list: exits.unavailable,
};
