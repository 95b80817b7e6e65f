import type { LogEntry } from "./log-entry.js";

/** The bodies that wait to be written take so much, and so does a single one; of more, the oldest requests lose theirs. */
const maximumBytes = 4 * 1024 * 1024;
/**
 * A body of more characters than the first is a large one, a page mostly, and all of them together may be so many: what
 * waits is moved by each collection of what is dead, and with 4 MB of pages that took a third of a page's time.
 */
const large = { characters: 4_096, bytes: 512 * 1024 };
/** It is doubled when it is full. */
const smallestRing = 64;
const notKept = "(not kept: too much at once)";

/** The characters of an entry's bodies. */
export function weightOf({ request_body, response_body }: LogEntry): number {
  return (request_body?.length ?? 0) + (response_body?.length ?? 0);
}

/** Entries that wait to be written, in their order, bounded in number and in what their bodies take. */
export class WaitingEntries {
  private readonly entries = new Line();
  private readonly small: Bodies;
  private readonly large: Bodies;

  constructor(private readonly maximumEntries: number) {
    this.small = new Bodies({ bytes: maximumBytes, entries: maximumEntries });
    this.large = new Bodies({ bytes: large.bytes, entries: maximumEntries });
  }

  get count(): number {
    return this.entries.count;
  }

  push(entry: LogEntry): void {
    this.entries.push(entry);
    if (this.count > this.maximumEntries) this.entries.shift();
    const weight = weightOf(entry);
    if (weight > 0) (weight > large.characters ? this.large : this.small).push(entry, weight);
  }

  at(index: number): LogEntry | undefined {
    return this.entries.at(index);
  }

  /** Forgets the first ones. */
  drop(count: number): void {
    for (let index = 0; index < count; index += 1) this.entries.shift();
    if (this.count > 0) return;
    this.small.clear();
    this.large.clear();
  }
}

/** The last entries with bodies, as many as there is room for; others lose theirs. */
class Bodies {
  private line = new Line();
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

  /** The newest stays, however large it is, up to the room for all. */
  private isOver(): boolean {
    const { bytes, entries } = this.most;
    return this.line.count > entries || this.bytes > (this.line.count > 1 ? bytes : maximumBytes);
  }

  private dropOldest(): void {
    const entry = this.line.shift();
    if (!entry) return;
    this.bytes -= weightOf(entry);
    entry.request_body &&= notKept;
    entry.response_body &&= notKept;
  }
}

/**
 * Entries that leave in the order in which they came: a ring. A list that loses its front would be copied each time, and
 * moved by each collection of what is dead.
 */
class Line {
  private ring: (LogEntry | undefined)[] = new Array(smallestRing);
  private first = 0;
  count = 0;

  push(entry: LogEntry): void {
    if (this.count === this.ring.length) this.widen();
    this.ring[(this.first + this.count) % this.ring.length] = entry;
    this.count += 1;
  }

  at(index: number): LogEntry | undefined {
    return index < this.count ? this.ring[(this.first + index) % this.ring.length] : undefined;
  }

  shift(): LogEntry | undefined {
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
