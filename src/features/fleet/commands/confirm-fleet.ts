import { formatCount } from "../../../base/text.js";
import { refusedError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import type { Member } from "./open-members.js";

/**
 * Without a terminal or with a production profile, requires `--confirm "N members"`: a script then fails if
 * the number of members has changed.
 * @throws refused error (12)
 */
export async function confirmFleet(
  { flags, prompts }: Session,
  members: readonly Pick<Member, "name" | "access">[],
  question: string,
  listCommand: string,
): Promise<void> {
  const expected = formatCount(members.length, "member");
  const production = members.filter(({ access }) => access?.profile.production).map(({ name }) => name);
  if (flags.confirm !== undefined) {
    if (flags.confirm.trim() === expected) return;
    throw refusedError(
      "selection_differs",
      `--confirm is "${flags.confirm}", but ${expected} ${members.length === 1 ? "is" : "are"} selected; nothing was sent`,
      `to list the members, run \`${listCommand}\``,
    );
  }
  if (production.length > 0 || !prompts.available)
    throw refusedError(
      "confirmation_required",
      production.length > 0
        ? `confirmation required: ${production.map((name) => `"${name}"`).join(", ")} ${production.length === 1 ? "is" : "are"} marked production`
        : "confirmation required, but stdin is not a terminal",
      `use --confirm "${expected}" to confirm`,
    );
  if (flags.yes || (await prompts.confirm({ message: question, default: false }))) return;
  throw refusedError("not_confirmed", "not confirmed; no changes were made");
}
