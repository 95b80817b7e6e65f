import { counted } from "../../../base/text.js";
import type { Pair } from "../../../config/relock.js";
import { CliError, exits, notFoundError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { compareTarget } from "./decided.js";
import { withConfigErrors } from "./errors.js";
import { lookOptions, placeFlags } from "./flags.js";
import { eachTarget, openCommandFolder, type TargetPlace } from "./place.js";

export const adopt: Command = {
  name: "adopt",
  summary: "Bind files to things that exist already; writes the lock only",
  description: "Adopted things are compared from then on, and never pruned without --prune-adopted.",
  arguments: [
    { name: "key=id", description: "a file's key, and the id of its thing", optional: true, variadic: true },
  ],
  flags: [...placeFlags, { name: "by-name", description: "bind every file whose name is live exactly once" }],
  examples: [
    { command: "voxctl config adopt --target prod prompts/empfang=65f1a0b2c3d4e5f601234567" },
    {
      command: "voxctl config adopt --target prod --by-name",
      note: "an organization that was set up by hand, or a lost lock",
    },
  ],
  run: (session, input) => withConfigErrors(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  const isByName = input.on("by-name") === true;
  if (isByName === input.arguments.length > 0)
    throw usageError("give KEY=ID, or --by-name, and one of them only");
  const folder = await openCommandFolder(session, input);
  await eachTarget(session, input, folder, { mutates: false }, async (place) => {
    const { agree, writeLockFile } = await import("../../../config/index.js");
    const { pairs, references, rest } = isByName ? await byName(place) : await named(place, input);
    const { lockFile } = place;
    lockFile.lock.base_url = place.baseUrl;
    agree(lockFile.lock, pairs, references);
    await writeLockFile(lockFile);
    const adopted = pairs.map(({ object, id }) => ({ key: object.key, id }));
    if (session.output.format !== "table")
      await session.output.item({ target: place.target, adopted, left: rest });
    else {
      const lines = [
        ...adopted.map(({ key, id }) => `  ${key} is ${id}`),
        ...rest.map(
          ({ key, ids }) =>
            `  ! ${key} ${ids.length === 0 ? "is not there" : `could be any of ${ids.join(", ")}`}`,
        ),
        `${counted(adopted.length, "thing")} adopted`,
      ];
      await session.output.lines(lines);
    }
  });
}

/** Binds files to things whose name is live exactly once. */
async function byName(place: TargetPlace) {
  const { decision } = await compareTarget(place, { ...lookOptions, adopt: true });
  const pairs = decision.changes.flatMap(({ object, line, record, isAdopted, live }): Pair[] =>
    isAdopted && line !== undefined ? [{ object, id: line.id, record, known: live }] : [],
  );
  const missing = decision.changes
    .filter(({ action }) => action === "create")
    .map(({ object }) => ({ key: object.key, ids: [] as readonly string[] }));
  return { pairs, references: decision.references, rest: [...decision.ambiguous, ...missing] };
}

async function named(place: TargetPlace, input: Input) {
  const { readThings } = await import("../../../config/index.js");
  const { decision, declared, reading } = await compareTarget(place, { ...lookOptions, adopt: false });
  const { lines } = place.lockFile.lock;
  const given = input.arguments.map((text) => {
    const equals = text.lastIndexOf("=");
    if (equals < 1) throw usageError(`"${text}": KEY=ID is meant`);
    return { key: text.slice(0, equals).normalize("NFC"), id: text.slice(equals + 1) };
  });
  const pairs: Pair[] = [];
  const keys = new Map(given.map(({ key, id }) => [id, key]));
  for (const { key, id } of given) {
    const object = declared.objects.get(key);
    if (object === undefined) throw notFoundError(`the folder has no ${key}; nothing was bound`);
    const holder = [...lines.values()].find((line) => line.id === id && line.key !== key);
    if (holder !== undefined || (lines.has(key) && lines.get(key)?.id !== id))
      throw new CliError({
        exit: exits.conflict,
        code: "bound_already",
        message: `${holder === undefined ? key : id} is bound already${holder === undefined ? "" : `, to ${holder.key}`}; nothing was bound`,
        hint: `voxctl config forget --target ${place.target} ${holder?.key ?? key} unbinds it`,
      });
    const [record] = await readThings(reading, [{ resource: object.spec.resource, id }]);
    if (record === null || record === undefined)
      throw notFoundError(`${key}: there is no ${object.spec.resource}/${id}; nothing was bound`);
    const type = object.spec.fixed?.["type"];
    // An answer that does not say its type proves nothing.
    if (type !== undefined && (record["type"] ?? type) !== type)
      throw usageError(
        `${key}: the group ${id} is one of ${String(record["type"])}, not of ${String(type)}; nothing was bound`,
      );
    pairs.push({ object, id, record });
  }
  const references = {
    ...decision.references,
    keyOf: (resource: string, id: string) => decision.references.keyOf(resource, id) ?? keys.get(id),
  };
  return { pairs, references, rest: [] as { key: string; ids: readonly string[] }[] };
}
