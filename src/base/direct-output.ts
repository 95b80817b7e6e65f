import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";

type Listener = (error: Error) => void;

/** A process's standard output or standard error. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number; isFile?: boolean };

/**
 * Writes to stdout or stderr without Node's stream, because loading its dozen modules takes a twentieth of a short command's time.
 * Data is written at once if the target is a file, or a pipe with enough space. After the first write that does not complete, all output
 * uses the stream, which waits and fails as usual.
 */
export class DirectOutput {
  readonly isTTY = false;
  readonly columns = undefined;
  readonly rows = undefined;
  private readonly onError: Listener[] = [];
  private opened: OutputStream | undefined;

  /**
   * @param isFile whether the target is a file: no reader waits for each write
   * @param open opens the stream when it is needed
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

  /** @returns the bytes that were not written */
  private writeNow(bytes: Uint8Array): Uint8Array {
    let remaining = bytes;
    try {
      while (remaining.length > 0) remaining = remaining.subarray(writeSync(this.fd, remaining));
    } catch {
      // The pipe is full, the reader is closed or the disk is full; the stream reports which.
    }
    return remaining;
  }
}

/**
 * @param fd 1 or 2
 * @param open opens Node's stream for it
 * @returns Node's stream for terminals, sockets and other targets on which a write must not block
 */
export function createDirectOutput(fd: number, open: () => OutputStream): OutputStream | DirectOutput {
  const ready = openDescriptor(fd);
  return ready === undefined ? open() : new DirectOutput(ready.fd, ready.isFile, open);
}

/** @returns a descriptor that never blocks */
function openDescriptor(fd: number): { fd: number; isFile: boolean } | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, isFile: true };
    if (stats.isCharacterDevice())
      return stats.rdev === statSync("/dev/null").rdev ? { fd, isFile: true } : undefined;
    // Open the pipe again: the blocking mode is shared by all processes that use this descriptor.
    return stats.isFIFO() && process.platform === "linux"
      ? { fd: openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK), isFile: false }
      : undefined;
  } catch {
    return undefined;
  }
}
