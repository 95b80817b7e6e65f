import { quoteWord } from "../../base/shell-words.js";
import type { Session } from "./session.js";

/** Returns a command for a hint, with this command's `--profile`, so that both use the same service. */
export function formatSuggestedCommand(
  { flags: { profile } }: Pick<Session, "flags">,
  words: string,
): string {
  return `voxctl ${words}${profile === undefined ? "" : ` --profile ${quoteWord(profile)}`}`;
}
