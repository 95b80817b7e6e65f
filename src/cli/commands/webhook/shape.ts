import { stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { jsonOf } from "../../../base/json.js";
import { counted } from "../../../base/text.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { findRecordings } from "./recording.js";
import { addToShape, emptyShape, schemaOf } from "./schema.js";

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
    const recordings = await findRecordings(resolve(session.io.cwd, shown), shown);
    const inferred = emptyShape();
    let bodies = 0;
    for await (const { request } of recordings.read()) {
      const body = jsonOf(Buffer.from(request.body_base64, "base64").toString("utf8"));
      if (body === undefined) continue;
      addToShape(inferred, body);
      bodies += 1;
    }
    if (bodies === 0) throw usageError(`${shown}: no recorded body is JSON`);
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: `Inferred from ${counted(bodies, "recorded request")}`,
      ...schemaOf(inferred),
    };
    const skipped = recordings.count - bodies;
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
    session.notes.note(`the shape of ${counted(bodies, "request")} is in ${out}`);
  },
};
