import { basename, extname } from "node:path";
import { withoutDeviceName } from "../../../../base/file-names.js";
import { usageError } from "../../../errors/errors.js";
import { type Fields, getText } from "../../../output/fields.js";

const extensions: Readonly<Record<string, string>> = {
  "audio/flac": "flac",
  "audio/x-flac": "flac",
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/x-wav": "wav",
  "audio/vnd.wave": "wav",
  "audio/mpeg": "mp3",
};

/** Every ending that a recording's file may have. */
export const recordingEndings = [...new Set([...Object.values(extensions), "bin"])];

// public.operations.13b: clients dispatch on the Content-Type.
export function getExtension(contentType: string): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  return Object.hasOwn(extensions, type) ? (extensions[type] ?? "bin") : "bin";
}

/** Returns the actual format of a file with the extension of another format; otherwise undefined. */
export function findActualType(file: string, contentType: string): string | undefined {
  const [ending, actualType] = [extname(file).slice(1).toLowerCase(), getExtension(contentType)];
  const isDifferent = recordingEndings.includes(ending) && actualType !== "bin" && ending !== actualType;
  return isDifferent ? actualType : undefined;
}

/** Some file systems take no more than 255 bytes, with an ending. */
const maxNameLength = 120;

function sanitizeName(text: string): string {
  return basename(text.replaceAll("\\", "/"))
    .replace(/[^A-Za-z0-9._+-]/g, "_")
    .replace(/^\.+/, "_");
}

/**
 * A file's name that means the same everywhere, and never another folder. One that is too long is cut before its id: no
 * two recordings may have the same.
 */
function toSafeName(text: string, id: string): string {
  const [whole, ending] = [sanitizeName(text), sanitizeName(id)];
  const cut = whole.slice(0, maxNameLength);
  const name = cut.includes(ending)
    ? cut
    : `${whole.slice(0, Math.max(0, maxNameLength - ending.length - 1))}_${ending}`;
  return name === "" || extname(name) === name ? `recording${name}` : withoutDeviceName(name);
}

/** The name of a recording's file without a template: the time and the id. */
export function formatDefaultName(call: Fields, id: string): string {
  const time = getText(call, "created_at").replace(/\.\d+/, "");
  return toSafeName([time.replaceAll(":", "-"), id].filter((part) => part !== "").join("_"), id);
}

const placeholders = ["id", "date", "time", "from", "to", "direction", "status", "assistant"] as const;

/** @throws usage error (2): names of two calls must differ, so an id, or else date and time, is in each */
export function assertTemplate(template: string): void {
  for (const [, name = ""] of template.matchAll(/\{([^}]*)\}/g))
    if (!placeholders.some((placeholder) => placeholder === name))
      throw usageError(
        `--name: there is no {${name}}; there are ${placeholders.map((placeholder) => `{${placeholder}}`).join(", ")}`,
      );
  if (/[/\\]/.test(template))
    throw usageError(
      "invalid --name: expected a file name without directories; to choose the directory, use --out",
    );
  if (!template.includes("{id}"))
    throw usageError("--name: {id} must be in it, so that no two recordings have the same name");
}

/** A file's name, without its ending, by a template. */
export function formatName(template: string, call: Fields, id: string, assistant: string): string {
  const [date = "", timeText = ""] = getText(call, "created_at").split("T");
  const values: Readonly<Record<string, string>> = {
    id,
    date,
    time: timeText.slice(0, 8).replaceAll(":", "-"),
    assistant,
  };
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? getText(call, name));
  // Every file gets the extension of its format: remove one from the template to avoid a duplicate.
  const ending = extname(filled);
  const bare = recordingEndings.includes(ending.slice(1).toLowerCase())
    ? filled.slice(0, -ending.length)
    : filled;
  return toSafeName(bare.replaceAll("/", "_"), id);
}
