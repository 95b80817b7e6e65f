// Stops work at one of its file operations, as if the process were killed or the file system refused the
// operation.
import { createRequire, syncBuiltinESMExports } from "node:module";

type Call = (...parameters: unknown[]) => Promise<unknown>;

const functions = ["open", "mkdtemp", "mkdir", "rename", "rm", "unlink", "chmod", "copyFile"] as const;
const methods = ["writeFile", "write", "chmod", "sync", "datasync", "truncate", "close"] as const;

export const createFullDiskError = () =>
  Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

/**
 * Lets `work` make `after` file operations in a directory. The next operation throws `error`. Without
 * `error`, that operation never ends, as in a killed process. A stopped write stays incomplete.
 * @returns whether `work` reached the operation after `after`
 */
export async function stopAtStep(
  folder: string,
  { after, error }: { after: number; error?: () => Error },
  work: () => Promise<unknown>,
): Promise<boolean> {
  const files = createRequire(import.meta.url)("node:fs/promises") as Record<string, Call>;
  const handles: { close: Call }[] = [];
  let steps = 0;
  let came = () => {};
  const end = new Promise<"stopped">((resolve) => {
    came = () => resolve("stopped");
  });
  const step = async (call: () => Promise<unknown>, half?: () => Promise<unknown>) => {
    steps += 1;
    if (steps <= after) return call();
    // After the error, all operations succeed, so that the error handler can do its work.
    if (error && steps > after + 1) return call();
    if (steps === after + 1) await half?.();
    came();
    if (error) throw error();
    return new Promise(() => {});
  };
  const wrapped = (handle: Record<string, Call>) => {
    handles.push({ close: (handle["close"] as Call).bind(handle) });
    for (const name of methods) {
      const method = (handle[name] as Call).bind(handle);
      const isText = name === "writeFile";
      handle[name] = (...parameters) => {
        const [text] = parameters;
        const half = async () => {
          if (typeof text === "string" || text instanceof Uint8Array)
            await method(text.slice(0, Math.floor(text.length / 2)));
        };
        return step(() => method(...parameters), isText ? half : undefined);
      };
    }
    return handle;
  };
  const former = Object.fromEntries(functions.map((name) => [name, files[name] as Call]));
  for (const name of functions) {
    const call = former[name] as Call;
    files[name] = async (...parameters) => {
      if (!String(parameters[0]).startsWith(folder)) return call(...parameters);
      const result = await step(() => call(...parameters));
      return name === "open" ? wrapped(result as Record<string, Call>) : result;
    };
  }
  syncBuiltinESMExports();
  try {
    const ended = work().then(
      () => "ended",
      (reason: unknown) => {
        if (!error) throw reason;
        return "refused";
      },
    );
    await (error ? ended : Promise.race([ended, end]));
    return steps > after;
  } finally {
    Object.assign(files, former);
    syncBuiltinESMExports();
    for (const handle of handles) await handle.close().catch(() => {});
  }
}
