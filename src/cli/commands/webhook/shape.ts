import { stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { jsonOf } from "../../../base/json.js";
import { counted } from "../../../base/text.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { readRecordings } from "./recording.js";
import { schemaOf } from "./schema.js";

/** `voxctl webhook shape FOLDER --out shape.json` */
export const shape: Command = {
  name: "shape",
  summary: "Infer the JSON Schema of recorded requests",
  description:
    "What stood in every recording is required. Values are not kept: each field says its types, and texts their form where all have one (a number to call, an id, a time).",
  arguments: [{ name: "recordings", description: "a folder of recordings, or one" }],
  flags: [
    { name: "out", value: "file", description: "write it there (default: standard output)" },
    { name: "force", description: "replace the file that --out names" },
  ],
  examples: [{ command: "voxctl webhook shape requests --out shape.json" }],
  async run(session, input) {
    const shown = input.arguments[0] ?? "";
    const recordings = await readRecordings(resolve(session.io.cwd, shown), shown);
    const bodies = recordings
      .map(({ request }) => jsonOf(Buffer.from(request.body_base64, "base64").toString("utf8")))
      .filter((body) => body !== undefined);
    if (bodies.length === 0) throw usageError(`${shown}: no recorded body is JSON`);
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: `Inferred from ${counted(bodies.length, "recorded request")}`,
      ...schemaOf(bodies),
    };
    const skipped = recordings.length - bodies.length;
    if (skipped > 0) session.notes.note(`${counted(skipped, "recording")} left out: the body is no JSON`);
    const out = input.text("out");
    if (out === undefined) {
      await session.output.item(schema);
      return;
    }
    const place = resolve(session.io.cwd, out);
    const there = await stat(place).catch(() => undefined);
    if (there?.isFile() === true && input.on("force") !== true)
      throw usageError(`--out: ${out} is there already`, { hint: "--force replaces it" });
    try {
      await writeFile(place, `${JSON.stringify(schema, null, 2)}\n`);
    } catch (cause) {
      throw usageError(`--out: ${out} can't be written: ${describeFsError(cause, "write")}`, { cause });
    }
    session.notes.note(`the shape of ${counted(bodies.length, "request")} is in ${out}`);
  },
};
