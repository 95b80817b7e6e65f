import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";

type Listener = (error: Error) => void;

export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number; isFile?: boolean };

/**
 * Writes to stdout or stderr without loading Node's stream modules, which saves time in short commands. If a
 * write would block, Node's stream writes the rest.
 */
export class DirectOutput {
  readonly isTTY = false;
  readonly columns = undefined;
  readonly rows = undefined;
  private readonly onError: Listener[] = [];
  private opened: OutputStream | undefined;

  /** @param isFile whether the output is a file; a write to a file never blocks */
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
      // The pipe is full or closed, or the disk is full. Node's stream detects the reason.
    }
    return remaining;
  }
}

/** @returns Node's stream if direct writes could block, for example on a terminal */
export function createDirectOutput(fd: number, open: () => OutputStream): OutputStream | DirectOutput {
  const ready = openDescriptor(fd);
  return ready === undefined ? open() : new DirectOutput(ready.fd, ready.isFile, open);
}

function openDescriptor(fd: number): { fd: number; isFile: boolean } | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, isFile: true };
    if (stats.isCharacterDevice())
      return stats.rdev === statSync("/dev/null").rdev ? { fd, isFile: true } : undefined;
    // Open the pipe a second time in non-blocking mode. Changing the mode of the original descriptor would
    // affect all processes that share it.
    return stats.isFIFO() && process.platform === "linux"
      ? { fd: openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK), isFile: false }
      : undefined;
  } catch {
    return undefined;
  }
}
