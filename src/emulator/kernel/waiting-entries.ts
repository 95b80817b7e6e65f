import type { LogEntry } from "./log-entry.js";
import { PackedTexts } from "./packed-texts.js";

/**
 * Maximum size of the small waiting bodies, and of the bodies of one entry, in bytes. The oldest entries lose
 * their bodies first, and an entry's bodies that exceed this size are never stored.
 */
const maximumBytes = 4 * 1024 * 1024;
/**
 * Bodies with more than `characters` stay on the heap. Their total size is limited to `bytes`, because each
 * garbage collection moves them: for 4 MB, this took a third of the time of a request for a page.
 */
const large = { characters: 4_096, bytes: 512 * 1024 };
const smallestRing = 64;
const notKept = "(not stored: too many waiting requests)";

export function countBodyCharacters({ request_body, response_body }: LogEntry): number {
  return (request_body?.length ?? 0) + (response_body?.length ?? 0);
}

interface Waiting {
  readonly entry: LogEntry;
  readonly request: number | null;
  readonly response: number | null;
}

/** The number of entries and the size of all bodies are limited. */
export class WaitingEntries {
  private readonly entries = new Line<Waiting>();
  private readonly texts = new PackedTexts(maximumBytes);
  private readonly large: Bodies;
  private lastHeaders: LogEntry["request_headers"] = {};

  constructor(private readonly maximumEntries: number) {
    this.large = new Bodies({ bytes: large.bytes, entries: maximumEntries });
  }

  get count(): number {
    return this.entries.count;
  }

  /** Adds an entry. The caller must not use the entry afterwards. */
  push(entry: LogEntry): void {
    // A client usually sends the same headers with each request, so entries share one object.
    if (areHeadersEqual(entry.request_headers, this.lastHeaders)) entry.request_headers = this.lastHeaders;
    else this.lastHeaders = entry.request_headers;
    const weight = countBodyCharacters(entry);
    this.entries.push(
      weight > large.characters ? { entry, request: null, response: null } : this.pack(entry),
    );
    if (weight > large.characters) this.large.push(entry, weight);
    if (this.count > this.maximumEntries) this.entries.shift();
  }

  at(index: number): LogEntry | undefined {
    const waiting = this.entries.at(index);
    if (waiting === undefined) return undefined;
    const { entry, request, response } = waiting;
    if (request !== null) entry.request_body = this.texts.read(request) ?? notKept;
    if (response !== null) entry.response_body = this.texts.read(response) ?? notKept;
    return entry;
  }

  drop(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const { request, response } = this.entries.shift() ?? {};
      this.texts.drop(response ?? request ?? 0);
    }
    if (this.count > 0) return;
    this.texts.clear();
    this.large.clear();
  }

  private pack(entry: LogEntry): Waiting {
    const { request_body, response_body } = entry;
    const packText = (text: string | null) => (text === null ? null : this.texts.add(text));
    const waiting = { entry, request: packText(request_body), response: packText(response_body) };
    entry.request_body = null;
    entry.response_body = null;
    return waiting;
  }
}

function areHeadersEqual(left: LogEntry["request_headers"], right: LogEntry["request_headers"]): boolean {
  let names = 0;
  for (const name in left) {
    if (left[name] !== right[name]) return false;
    names += 1;
  }
  for (const _ in right) names -= 1;
  return names === 0;
}

class Bodies {
  private line = new Line<LogEntry>();
  private bytes = 0;

  constructor(private readonly most: { bytes: number; entries: number }) {}

  push(entry: LogEntry, weight: number): void {
    this.line.push(entry);
    this.bytes += weight;
    while (this.isOver()) this.dropOldest();
  }

  clear(): void {
    this.line = new Line();
    this.bytes = 0;
  }

  /** A single entry is allowed to exceed `bytes`, up to `maximumBytes`. */
  private isOver(): boolean {
    const { bytes, entries } = this.most;
    return this.line.count > entries || this.bytes > (this.line.count > 1 ? bytes : maximumBytes);
  }

  private dropOldest(): void {
    const entry = this.line.shift();
    if (!entry) return;
    this.bytes -= countBodyCharacters(entry);
    entry.request_body &&= notKept;
    entry.response_body &&= notKept;
  }
}

/**
 * A ring buffer. With an array, removing the first entries would copy the array each time, and garbage
 * collection would move it.
 */
class Line<T> {
  private ring: (T | undefined)[] = new Array(smallestRing);
  private first = 0;
  count = 0;

  push(entry: T): void {
    if (this.count === this.ring.length) this.widen();
    this.ring[(this.first + this.count) % this.ring.length] = entry;
    this.count += 1;
  }

  at(index: number): T | undefined {
    return index < this.count ? this.ring[(this.first + index) % this.ring.length] : undefined;
  }

  shift(): T | undefined {
    if (this.count === 0) return undefined;
    const entry = this.ring[this.first];
    this.ring[this.first] = undefined;
    this.first = (this.first + 1) % this.ring.length;
    this.count -= 1;
    return entry;
  }

  private widen(): void {
    const entries = [...this.ring.slice(this.first), ...this.ring.slice(0, this.first)];
    entries.length *= 2;
    this.ring = entries;
    this.first = 0;
  }
}
