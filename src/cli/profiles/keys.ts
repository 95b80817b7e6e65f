import { readFile } from "node:fs/promises";
import type { Io } from "../../base/io.js";
import { usageError } from "../errors.js";
import type { StoredKey } from "./store.js";

/**
 * A key as it is sent in a header.
 * @param source what to call it in messages; its value is in none of them
 * @throws usage error (2) when it can't be one
 */
export function parseKey(text: string, source: string): string {
  const key = text.trim();
  if (key === "") throw usageError(`${source}: the key is empty`);
  if (!/^[\u0021-\u007e]+$/.test(key)) throw usageError(`${source}: a key is one word of plain characters`);
  return key;
}

/**
 * The key that a profile stands for.
 * @throws usage error (2) when its source has none
 */
export async function readKey(stored: StoredKey, io: Io, profile: string): Promise<string> {
  switch (stored.from) {
    case "stored":
      return stored.value;
    case "environment": {
      const value = io.env[stored.variable];
      if (value === undefined)
        throw usageError(`${stored.variable} is not set; the profile ${profile} takes its key from it`);
      return parseKey(value, stored.variable);
    }
    case "file": {
      let text: string;
      try {
        text = await readFile(stored.path, "utf8");
      } catch (error) {
        throw usageError(`${stored.path} can't be read; the profile ${profile} takes its key from it`, {
          cause: error,
        });
      }
      return parseKey(text, stored.path);
    }
  }
}

/** Where a key comes from, for people: never the key. */
export function keySource(stored: StoredKey): string {
  switch (stored.from) {
    case "stored":
      return "stored";
    case "environment":
      return `environment ${stored.variable}`;
    case "file":
      return `file ${stored.path}`;
  }
}
