import { basename, extname } from "node:path";
import { type Fields, getText } from "../../../../base/fields.js";
import { withoutDeviceName } from "../../../../base/file-names.js";
import { usageError } from "../../../errors/errors.js";

const extensions: Readonly<Record<string, string>> = {
  "audio/flac": "flac",
  "audio/x-flac": "flac",
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/x-wav": "wav",
  "audio/vnd.wave": "wav",
  "audio/mpeg": "mp3",
};

export const recordingEndings = [...new Set([...Object.values(extensions), "bin"])];

// The Content-Type determines the extension (public.operations.13b).
export function getExtension(contentType: string): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  return Object.hasOwn(extensions, type) ? (extensions[type] ?? "bin") : "bin";
}

/** Returns the content type's extension if the file has another type's extension; otherwise undefined. */
export function findActualType(file: string, contentType: string): string | undefined {
  const [ending, actualType] = [extname(file).slice(1).toLowerCase(), getExtension(contentType)];
  const isDifferent = recordingEndings.includes(ending) && actualType !== "bin" && ending !== actualType;
  return isDifferent ? actualType : undefined;
}

/** Some file systems allow only 255 bytes, including the extension. */
const maxNameLength = 120;

function sanitizeName(text: string): string {
  return basename(text.replaceAll("\\", "/"))
    .replace(/[^A-Za-z0-9._+-]/g, "_")
    .replace(/^\.+/, "_");
}

/** Keeps the whole ID, so that names stay unique. */
function toSafeName(text: string, id: string): string {
  const [whole, ending] = [sanitizeName(text), sanitizeName(id)];
  const cut = whole.slice(0, maxNameLength);
  const name = cut.includes(ending)
    ? cut
    : `${whole.slice(0, Math.max(0, maxNameLength - ending.length - 1))}_${ending}`;
  return name === "" || extname(name) === name ? `recording${name}` : withoutDeviceName(name);
}

export function formatDefaultName(call: Fields, id: string): string {
  const time = getText(call, "created_at").replace(/\.\d+/, "");
  return toSafeName([time.replaceAll(":", "-"), id].filter((part) => part !== "").join("_"), id);
}

const placeholders = ["id", "date", "time", "from", "to", "direction", "status", "assistant"] as const;

/** @throws usage error (2) for an unknown placeholder, a directory, or a template without {id} */
export function assertTemplate(template: string): void {
  for (const [, name = ""] of template.matchAll(/\{([^}]*)\}/g))
    if (!placeholders.some((placeholder) => placeholder === name))
      throw usageError(
        `invalid --name placeholder {${name}}: expected ${placeholders.map((placeholder) => `{${placeholder}}`).join(", ")}`,
      );
  if (/[/\\]/.test(template))
    throw usageError(
      "invalid --name: expected a file name without directories; to choose the directory, use --out",
    );
  if (!template.includes("{id}"))
    throw usageError("invalid --name: must contain {id}, so that file names are unique");
}

/** Returns the name without an extension. */
export function formatName(template: string, call: Fields, id: string, assistant: string): string {
  const [date = "", timeText = ""] = getText(call, "created_at").split("T");
  const values: Readonly<Record<string, string>> = {
    id,
    date,
    time: timeText.slice(0, 8).replaceAll(":", "-"),
    assistant,
  };
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? getText(call, name));
  // Remove the template's extension: the correct one is added later.
  const ending = extname(filled);
  const bare = recordingEndings.includes(ending.slice(1).toLowerCase())
    ? filled.slice(0, -ending.length)
    : filled;
  return toSafeName(bare.replaceAll("/", "_"), id);
}
