import { trimPeriod } from "../../base/text.js";
import { changedMeanwhileError } from "../errors/errors.js";
import { isRehearsed } from "../profiles/profile.js";
import type { Command } from "../session/command.js";
import type { Input } from "../session/input.js";
import type { Session } from "../session/session.js";
import { buildPathArguments, readPath, resolvePath } from "./derived.js";
import { ignoreNotFoundFlag, runIgnoringNotFound, shouldIgnoreNotFound } from "./ignore-not-found.js";
import type { Derivation, Loss } from "./noun.js";
import { dryRunFlag, printRequests, resolvePlannedPath } from "./requests.js";
import { getOf, sendDelete } from "./sent-delete.js";

/**
 * @param warns `always`: lists dependent resources even without a prompt. This takes additional requests, so
 * use `always` only for resources with dependents
 */
export function deleteCommand(
  derivation: Derivation,
  warns: "always" | "with the prompt" = "with the prompt",
): Command {
  const { name, operation, resource, verb } = derivation;
  return {
    name: name.slice(name.lastIndexOf(".") + 1),
    aliases: name.endsWith(".delete") ? ["rm"] : [],
    summary: operation.summary,
    ...(verb.description === undefined ? {} : { description: verb.description }),
    arguments: buildPathArguments(derivation).map(({ argument }) => argument),
    flags: [ignoreNotFoundFlag, dryRunFlag],
    confirms: true,
    examples: verb.examples,
    run: (session, input) => runIgnoringNotFound(session, input, () => run(session, input)),
  };

  async function run(session: Session, input: Input): Promise<void> {
    const dryRun = input.on("dry-run") === true;
    const connect = () => session.connect({ mutates: !dryRun });
    const path = readPath(derivation, input);
    // With --ignore-not-found, a missing resource needs no confirmation.
    if (!dryRun && !shouldIgnoreNotFound(input)) await session.assertConfirmable();
    const resolved = await resolvePath(derivation, path, session, connect);
    const id = Object.values(resolved).at(-1) ?? "";
    const get = getOf(name);
    // Check that the resource exists before the prompt.
    if (shouldIgnoreNotFound(input) && get !== undefined)
      await (await connect()).client.call(get, { path: resolved }, { signal: session.signal });
    // Read dependents only if they will be shown. A script that deletes a thousand contacts must not send a
    // thousand more requests.
    const byName = verb.referable !== undefined && Object.values(path).at(-1) !== id;
    const shouldShowLoss = warns === "always" || byName || (session.prompts.available && !session.flags.yes);
    const readLoss = async () =>
      verb.loses?.({ client: (await connect()).client, id, signal: session.signal });
    const loss = shouldShowLoss ? await readLoss() : undefined;
    if (loss?.note) session.notes.note(loss.note);
    if (loss?.consequence) session.notes.warn(loss.consequence);
    if (dryRun) {
      await printRequests(session, [
        { method: operation.method, path: await resolvePlannedPath(session, name, resolved) },
      ]);
      return;
    }
    // Several resources can share a name, so print which resource will be deleted, even if --yes confirms.
    if (byName && loss && session.flags.yes) session.notes.note(`Found ${loss.what} (${id})`);
    // A rehearsal deletes only from its temporary copy.
    const warning = isRehearsed(await session.profile()) ? "" : " This can't be undone.";
    await session.confirm(`Delete ${loss?.what ?? resource.noun} (${id})?${warning}`);
    // Check again, because the resource may change while the user answers the prompt.
    if (loss && session.prompts.available && !session.flags.yes) assertLossUnchanged(loss, await readLoss());
    await sendDelete(await connect(), name, resolved, session);
    await session.output.item({ id, deleted: true });
  }
}

/** @throws conflict (6) if the resource or its dependents changed since they were shown */
function assertLossUnchanged(shown: Loss, now: Loss | undefined): void {
  const formatLoss = (loss: Loss | undefined) => loss?.consequence ?? loss?.note ?? "";
  if (now?.what === shown.what && formatLoss(now) === formatLoss(shown)) return;
  const changed =
    now?.what === shown.what
      ? `the consequences of the deletion have changed: ${trimPeriod(formatLoss(now))}`
      : `the resource changed during the prompt and is now ${now?.what}`;
  throw changedMeanwhileError(
    `${changed}; nothing was deleted`,
    "to delete the resource anyway, run the command again",
  );
}
