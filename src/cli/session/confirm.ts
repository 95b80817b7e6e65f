import { refusedError, usageError } from "../errors/errors.js";
import { type ChosenProfile, isRehearsed } from "../profiles/profile.js";
import type { Prompts } from "../terminal/questions.js";
import type { GlobalFlags } from "./globals.js";

interface Confirmation {
  profile: ChosenProfile;
  flags: GlobalFlags;
  prompts: Prompts;
  /** Whether the change can't be undone (default: true). `part` if it can only be undone in part. */
  loses?: boolean | "part";
}

export type ConfirmationOptions = Pick<Confirmation, "loses">;

/**
 * Refuses a change without a chosen profile, because a script could change the emulator instead of a service.
 * Also refuses a change if the pin file is unreadable, because the file might select another organization.
 * @throws refused error (12) that names `--profile`
 */
export function assertChosen(profile: ChosenProfile, prompts: Prompts): void {
  assertPinRead(profile);
  if (profile.chosenBy !== "nobody" || prompts.available) return;
  throw refusedError(
    "no_profile",
    "no profile selected; in a script, commands that make changes require a profile",
    "use --profile offline for the local emulator, or set the environment variables of a service: `voxctl help environment`",
  );
}

/** @throws refused error (12) that names the unreadable file */
export function assertPinRead({ unreadablePin }: ChosenProfile): void {
  if (unreadablePin === undefined) return;
  const { file, problem } = unreadablePin;
  throw refusedError(
    "unreadable_pin",
    `cannot read ${file}, which selects this directory's profile: ${problem}`,
    "fix the file, or use --profile NAME",
  );
}

/**
 * Refuses an unspecified profile, for `--require-profile`.
 * @throws refused error (12)
 */
export function assertNamed({ name, chosenBy }: ChosenProfile): void {
  if (chosenBy !== "nobody" && chosenBy !== "default") return;
  throw refusedError(
    "no_profile",
    `--require-profile: no profile was specified${chosenBy === "default" ? `; ${name} is only the default` : ""}`,
    "use --profile NAME, or set VOXCTL_PROFILE",
  );
}

/**
 * @throws refused error (12) that names the required flag, usage error (2) if `--confirm` names another
 * profile
 */
export function assertConfirmable({ profile, flags, prompts, loses = true }: Confirmation): void {
  if (!profile.production) {
    if (!flags.yes && !prompts.available)
      throw refusedError(
        "confirmation_required",
        "confirmation required, but stdin is not a terminal",
        `${formatConfirmHint(profile, "--yes")}${formatLoss(profile, loses)}`,
      );
    return;
  }
  if (flags.confirm === profile.name) return;
  if (flags.confirm !== undefined)
    throw usageError(`invalid --confirm "${flags.confirm}": expected the current profile, "${profile.name}"`);
  if (!prompts.available || flags.yes) {
    throw refusedError(
      "production_profile",
      `confirmation required: profile "${profile.name}" is marked production`,
      formatConfirmHint(profile, `--confirm=${profile.name}`),
    );
  }
}

/**
 * In a rehearsal, the flag must follow the rehearsed command, because flags of `rehearse` don't apply to that
 * command.
 */
function formatConfirmHint(profile: ChosenProfile, flag: string): string {
  return isRehearsed(profile) ? `to confirm, add ${flag} to the rehearsed command` : `use ${flag} to confirm`;
}

/** A rehearsal changes only a temporary copy. */
function formatLoss(profile: ChosenProfile, loses: boolean | "part"): string {
  if (!loses || isRehearsed(profile)) return "";
  return loses === "part" ? "; this can only be undone in part" : "; this can't be undone";
}

/**
 * Asks for confirmation unless the user has already confirmed with a flag.
 * @throws refused error (12), usage error (2)
 */
export async function confirmDestructive(question: string, confirmation: Confirmation): Promise<void> {
  assertConfirmable(confirmation);
  const { profile, flags, prompts } = confirmation;
  if (isConfirmedByFlag(profile, flags)) return;
  if (!(await isConfirmed(question, profile, prompts)))
    throw refusedError("not_confirmed", "not confirmed; no changes were made");
}

export function isConfirmedByFlag({ production }: ChosenProfile, flags: GlobalFlags): boolean {
  return production ? flags.confirm !== undefined : flags.yes;
}

/** For a production profile, the user must type the profile's name. */
export async function isConfirmed(
  question: string,
  { name, production }: Pick<ChosenProfile, "name" | "production">,
  prompts: Prompts,
): Promise<boolean> {
  if (!production) return prompts.confirm({ message: question, default: false });
  const typed = await prompts.text({
    message: `${question} To continue, type the profile's name, ${name}:`,
    confirms: true,
  });
  return typed.trim() === name;
}

/**
 * Asks for confirmation regardless of the profile, because only local files change.
 * @throws refused error (12)
 */
export async function confirmLocally(
  { flags, prompts }: Pick<Confirmation, "flags" | "prompts">,
  message: string,
): Promise<void> {
  if (flags.yes) return;
  if (!prompts.available)
    throw refusedError(
      "confirmation_required",
      "confirmation required, but stdin is not a terminal",
      "use --yes to confirm",
    );
  if (!(await prompts.confirm({ message, default: false })))
    throw refusedError("not_confirmed", "not confirmed; nothing was done");
}
