import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";

type Listener = (error: Error) => void;

/** A stream that a process prints to. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number; isFile?: boolean };

/**
 * stdout or stderr without the dozen of Node's modules that a stream of its takes, a twentieth of a short command. What
 * a file takes, or a pipe that has room, is written at once; from the first part that does not go so, whatever the
 * reason, everything goes by the stream, which waits and fails as ever.
 */
export class DirectOutput {
  readonly isTTY = false;
  readonly columns = undefined;
  readonly rows = undefined;
  private readonly onError: Listener[] = [];
  private opened: OutputStream | undefined;

  /**
   * @param isFile nothing reads what is written as it comes
   * @param open opens the stream, when it is needed
   */
  constructor(
    private readonly fd: number,
    readonly isFile: boolean,
    private readonly open: () => OutputStream,
  ) {}

  get stream(): OutputStream {
    if (!this.opened) {
      this.opened = this.open();
      for (const listener of this.onError) this.opened.on("error", listener);
    }
    return this.opened;
  }

  write(part: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
    const remaining = this.opened ? part : this.writeNow(typeof part === "string" ? Buffer.from(part) : part);
    if (remaining.length > 0) return this.stream.write(remaining, done);
    done?.();
    return true;
  }

  on(_: "error", listener: Listener): void {
    if (this.opened) this.opened.on("error", listener);
    else this.onError.push(listener);
  }

  /** @returns what did not go */
  private writeNow(bytes: Uint8Array): Uint8Array {
    let remaining = bytes;
    try {
      while (remaining.length > 0) remaining = remaining.subarray(writeSync(this.fd, remaining));
    } catch {
      // A pipe that is full, a reader that went away, a full disk: the stream says which.
    }
    return remaining;
  }
}

/**
 * @param fd 1 or 2
 * @param open opens Node's stream for it
 * @returns that stream for a terminal, a socket and whatever else must not be waited for
 */
export function createDirectOutput(fd: number, open: () => OutputStream): OutputStream | DirectOutput {
  const ready = openDescriptor(fd);
  return ready === undefined ? open() : new DirectOutput(ready.fd, ready.isFile, open);
}

/** @returns a descriptor that is never waited for */
function openDescriptor(fd: number): { fd: number; isFile: boolean } | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, isFile: true };
    if (stats.isCharacterDevice())
      return stats.rdev === statSync("/dev/null").rdev ? { fd, isFile: true } : undefined;
    // Opened once more, since whether a descriptor waits holds for all processes that have it.
    return stats.isFIFO() && process.platform === "linux"
      ? { fd: openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK), isFile: false }
      : undefined;
  } catch {
    return undefined;
  }
}
