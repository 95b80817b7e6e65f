import { refusedError, usageError } from "../errors/errors.js";
import type { ChosenProfile } from "../profiles/profile.js";
import type { Prompts } from "../terminal/questions.js";
import type { GlobalFlags } from "./globals.js";

interface Confirmation {
  profile: ChosenProfile;
  flags: GlobalFlags;
  prompts: Prompts;
  /** Something is lost by it. Default: yes. */
  loses?: boolean;
}

/**
 * Lets a command change something only where a person chose the target: a job that lost its secret must not
 * succeed against the emulator, and a folder whose pin can't be read may belong to another organization.
 * @throws refused error (12) that names `--profile`
 */
export function assertChosen(profile: ChosenProfile, prompts: Prompts): void {
  assertPinRead(profile);
  if (profile.chosenBy !== "nobody" || prompts.available) return;
  throw refusedError(
    "no_profile",
    "no profile was chosen, so nothing is changed; nothing was sent",
    "--profile offline works with the embedded emulator; voxctl profiles add NAME --url URL adds a service",
  );
}

/**
 * Lets a command change something only where the folder's pin could be read.
 * @throws refused error (12) that names the file
 */
export function assertPinRead({ unreadablePin }: ChosenProfile): void {
  if (unreadablePin === undefined) return;
  const { file, problem } = unreadablePin;
  throw refusedError(
    "unreadable_pin",
    `cannot read ${file}, which names this folder's profile: ${problem}; nothing was sent`,
    "fix the file, or name the profile: `--profile NAME`",
  );
}

/**
 * For careful people: refuses a profile that was not named.
 * @throws refused error (12)
 */
export function assertNamed({ name, chosenBy }: ChosenProfile): void {
  if (chosenBy !== "nobody" && chosenBy !== "default") return;
  throw refusedError(
    "no_profile",
    `a profile must be named, and ${chosenBy === "default" ? `${name} is only the default` : "none was"}; nothing was sent`,
    "--profile NAME, VOXCTL_PROFILE, VOXCTL_BASE_URL with VOXCTL_API_KEY, or a .voxctl.yaml names one",
  );
}

/**
 * Can a destructive command be confirmed at all?
 * @throws refused error (12) that names the flag to give, usage error (2) when `--confirm` names another profile
 */
export function assertConfirmable({ profile, flags, prompts, loses = true }: Confirmation): void {
  if (!profile.production) {
    if (!flags.yes && !prompts.available)
      throw refusedError(
        "confirmation_required",
        "there is no terminal to ask on, and no --yes; nothing was sent",
        loses ? "--yes confirms it: it can't be undone" : "--yes confirms it",
      );
    return;
  }
  if (flags.confirm === profile.name) return;
  if (flags.confirm !== undefined)
    throw usageError(
      `--confirm: "${flags.confirm}" is not the profile in use, "${profile.name}"; nothing was sent`,
    );
  if (!prompts.available || flags.yes) {
    throw refusedError(
      "production_profile",
      `the profile ${profile.name} is marked production; nothing was sent`,
      `--confirm=${profile.name} says that you mean it`,
    );
  }
}

/**
 * Lets a destructive command go on, or not.
 * @throws refused error (12), usage error (2)
 */
export async function confirmDestructive(question: string, confirmation: Confirmation): Promise<void> {
  assertConfirmable(confirmation);
  const { profile, flags, prompts } = confirmation;
  if (isConfirmedByFlag(profile, flags)) return;
  if (!(await isConfirmed(question, profile, prompts)))
    throw refusedError("not_confirmed", "not confirmed; nothing was sent");
}

/** Does a flag answer in place of a person? */
export function isConfirmedByFlag({ production }: ChosenProfile, flags: GlobalFlags): boolean {
  return production ? flags.confirm !== undefined : flags.yes;
}

/** Asks whether to go on: of a production profile, the name has to be typed. */
export async function isConfirmed(
  question: string,
  { name, production }: Pick<ChosenProfile, "name" | "production">,
  prompts: Prompts,
): Promise<boolean> {
  if (!production) return prompts.confirm({ message: question, default: false });
  const typed = await prompts.text({
    message: `${question} Type the profile's name, ${name}, to go on:`,
    confirms: true,
  });
  return typed.trim() === name;
}

/**
 * The same where nothing but files of this machine are concerned, so that the profile has no say.
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
      "there is no terminal to ask on; nothing was done",
      "--yes confirms it",
    );
  if (!(await prompts.confirm({ message, default: false })))
    throw refusedError("not_confirmed", "not confirmed; nothing was done");
}
