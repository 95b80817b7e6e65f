import { formatCount } from "../../../base/text.js";
import { CliError, exits, notFoundError, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Pair } from "../relock.js";
import { withSharedLock } from "./applied-lock.js";
import { compareTarget } from "./decide-target.js";
import { withConfigErrors } from "./errors.js";
import { lookOptions, targetFlags } from "./flags.js";
import {
  forEachTarget,
  openCommandFolder,
  openLock,
  readTargetNames,
  type TargetContext,
} from "./target-context.js";

export const adopt: Command = {
  name: "adopt",
  summary: "Bind files to existing resources",
  description:
    "Without arguments, binds each file to the resource with the same name if the organization has exactly one such resource. From then on, voxctl compares these resources with their files. If you delete one of these files, voxctl deletes its resource only with --prune=adopted.\n\n`KEY=`, with an empty ID, unbinds a file: voxctl keeps its resource, but stops comparing the file until you bind it again. Unbinding a group also unbinds its items.",
  arguments: [
    {
      name: "key=id",
      description: "File key and resource ID to bind; an empty ID unbinds the file",
      optional: true,
      variadic: true,
    },
  ],
  flags: targetFlags,
  examples: [
    { command: "voxctl config adopt --target prod prompts/empfang=65f1a0b2c3d4e5f601234567" },
    {
      command: "voxctl config adopt --target prod",
      note: "If you created the resources manually or lost the lock file",
    },
    { command: "voxctl config adopt --target prod prompts/alt=", note: "Unbind a resource" },
  ],
  run: (session, input) => withConfigErrors(() => runAdopt(session, input)),
};

async function runAdopt(session: Session, input: Input): Promise<void> {
  const unbound = input.arguments.filter((text) => text.endsWith("=")).map((text) => text.slice(0, -1));
  if (unbound.length > 0) {
    if (unbound.length < input.arguments.length)
      throw usageError("KEY=ID can't be combined with KEY=", {
        hint: "use separate commands to bind and unbind",
      });
    return unbind(session, input, unbound);
  }
  const folder = await openCommandFolder(session, input);
  await forEachTarget(session, input, folder, { mutates: false }, async (targetContext) => {
    const { agree, lockAnchorsOf, writeLockFile } = await import("../index.js");
    const {
      decision,
      pairs,
      references,
      rest: remaining,
    } = input.arguments.length === 0
      ? await pairByName(targetContext)
      : await pairByKey(targetContext, input);
    const { lockFile } = targetContext;
    lockFile.lock.base_url = targetContext.baseUrl;
    lockFile.lock.anchors = lockAnchorsOf(decision);
    agree(lockFile.lock, pairs, references);
    await withSharedLock(targetContext, () => writeLockFile(lockFile), { isRepair: true });
    const adopted = pairs.map(({ object, id }) => ({ key: object.key, id }));
    if (session.output.format !== "table")
      await session.output.item({ target: targetContext.target, adopted, left: remaining });
    else {
      const lines = [
        ...adopted.map(({ key, id }) => `  ${key} is bound to ${id}`),
        ...remaining.map(
          ({ key, ids }) =>
            `  ! ${key} ${ids.length === 0 ? "was not found" : `matches several resources: ${ids.join(", ")}`}`,
        ),
        `${formatCount(adopted.length, "resource")} adopted`,
      ];
      await session.output.lines(lines);
    }
  });
}

async function unbind(session: Session, input: Input, given: readonly string[]): Promise<void> {
  const { isWithin, writeLockFile } = await import("../index.js");
  const folder = await openCommandFolder(session, input);
  const keys = given.map((key) => key.normalize("NFC"));
  const results: { target: string; unbound: string[] }[] = [];
  for (const target of readTargetNames(input)) {
    const lockFile = await openLock(session, input, folder, target);
    const { lines } = lockFile.lock;
    const unknown = keys.find((key) => ![...lines.keys()].some((lockedKey) => isWithin(lockedKey, [key])));
    if (unknown !== undefined) throw notFoundError(`key ${unknown} not found in ${lockFile.shown}`);
    const unbound = [...lines.keys()].filter((key) => isWithin(key, keys));
    for (const key of unbound) lines.delete(key);
    const context = { session, folder, target, baseUrl: lockFile.lock.base_url, lockFile };
    await withSharedLock(context, () => writeLockFile(lockFile));
    results.push({ target, unbound });
  }
  const [first] = results;
  await session.output.item(results.length === 1 && first !== undefined ? first : { targets: results });
}

/** Pairs each file with the resource of the same name, if exactly one such resource exists. */
async function pairByName(targetContext: TargetContext) {
  const { decision } = await compareTarget(targetContext, { ...lookOptions, adopt: true });
  const pairs = decision.changes.flatMap(({ object, line, record, isAdopted, live }): Pair[] =>
    isAdopted && line !== undefined ? [{ object, id: line.id, record, known: live }] : [],
  );
  const missing = decision.changes
    .filter(({ action }) => action === "create")
    .map(({ object }) => ({ key: object.key, ids: [] as readonly string[] }));
  return { decision, pairs, references: decision.references, rest: [...decision.ambiguous, ...missing] };
}

async function pairByKey(targetContext: TargetContext, input: Input) {
  const { readRecords } = await import("../index.js");
  const { decision, declared, reading } = await compareTarget(targetContext, {
    ...lookOptions,
    adopt: false,
  });
  const { lines } = targetContext.lockFile.lock;
  const given = input.arguments.map((text) => {
    const equals = text.lastIndexOf("=");
    if (equals < 1) throw usageError(`invalid argument "${text}": expected KEY=ID`);
    return { key: text.slice(0, equals).normalize("NFC"), id: text.slice(equals + 1) };
  });
  for (const [index, { key, id }] of given.entries()) {
    const other = given.slice(0, index).find((pair) => (pair.key === key) !== (pair.id === id));
    if (other !== undefined)
      throw usageError(`conflicting arguments: ${other.key}=${other.id} and ${key}=${id}`, {
        hint: "bind each file to its own resource",
      });
  }
  const pairs: Pair[] = [];
  const keys = new Map(given.map(({ key, id }) => [id, key]));
  for (const { key, id } of given) {
    const object = declared.objects.get(key);
    if (object === undefined) throw notFoundError(`key ${key} not found in the directory`);
    const holder = [...lines.values()].find((line) => line.id === id && line.key !== key);
    if (holder !== undefined || (lines.has(key) && lines.get(key)?.id !== id))
      throw new CliError({
        exit: exits.conflict,
        code: "bound_already",
        message: `${holder === undefined ? key : id} is already bound${holder === undefined ? "" : `, to ${holder.key}`}`,
        hint: `to unbind it, run \`voxctl config adopt --target ${targetContext.target} ${holder?.key ?? key}=\``,
      });
    const [record] = await readRecords(reading, [{ resource: object.spec.resource, id }]);
    if (record === null || record === undefined)
      throw notFoundError(`${key}: ${object.spec.resource}/${id} not found`);
    const type = object.spec.fixed?.["type"];
    // Some responses contain no type. In this case, assume that the resource has the expected type.
    if (type !== undefined && (record["type"] ?? type) !== type)
      throw usageError(
        `${key}: expected a group of type ${String(type)}, but the type of ${id} is ${String(record["type"])}`,
      );
    pairs.push({ object, id, record });
  }
  const references = {
    ...decision.references,
    keyOf: (resource: string, id: string) => decision.references.keyOf(resource, id) ?? keys.get(id),
  };
  return { decision, pairs, references, rest: [] as { key: string; ids: readonly string[] }[] };
}
