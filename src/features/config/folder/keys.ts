import { isDeviceName } from "../../../base/file-names.js";

/** A key is a file's path without extension, or `FILE#ITEMKEY` for an item in a list. */

/** Keys that differ only in case or Unicode composition have the same folded key. */
export function foldedKey(key: string): string {
  return key.normalize("NFC").toLowerCase();
}

export function keyOfPath(path: string): string {
  return path.replace(/\.(?:yaml|md)$/, "").normalize("NFC");
}

const letters: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  ø: "oe",
  å: "a",
  ł: "l",
  đ: "d",
};

/** Converts a name to a lowercase part of a path, without accents. */
export function slugOf(name: string): string {
  const plain = [...name.normalize("NFC").toLowerCase()].map((letter) => letters[letter] ?? letter).join("");
  const slug = plain
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .replace(/-+$/, "");
  // Windows can't create a file named `con.yaml`.
  if (isDeviceName(slug)) return `${slug}-1`;
  return slug === "" ? "unnamed" : slug;
}

/**
 * Appends `-2`, `-3` and so on until the key is unused.
 * @param taken normalized keys in use; the new key is added
 */
export function freeKey(base: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? base : `${base}-${number}`;
    if (taken.has(foldedKey(key))) continue;
    taken.add(foldedKey(key));
    return key;
  }
}

/** `*` and `?` match within a name, `**` matches across directories. */
export function globPattern(glob: string, flags: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:[^]*/)?";
      if (part === "**") return "[^]*";
      if (part === "*") return "[^/]*";
      return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, flags);
}

export function ignoring(globs: readonly string[]): (key: string) => boolean {
  const patterns = globs.map((glob) => globPattern(glob.replace(/^\.\//, ""), "iu"));
  return (key) => {
    const [file = "", item] = key.split("#", 2);
    const forms = [file, `${file}.yaml`, `${file}.md`, ...(item === undefined ? [] : [key])];
    return patterns.some((pattern) => forms.some((form) => pattern.test(form.normalize("NFC"))));
  };
}
