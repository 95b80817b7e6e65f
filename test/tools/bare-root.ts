import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { inheritedEnvironment } from "../helpers/environment.js";

const authorities = "/etc/ssl/certs/ca-certificates.crt";
/** The libraries of a machine without programs: glibc and GCC's two libraries. */
const libraries =
  /^(?:ld-linux-x86-64\.so\.2|lib(?:c|m|dl|rt|pthread)\.so\.\d|libstdc\+\+\.so\.6|libgcc_s\.so\.1)$/;

/** A directory that is a program's whole file system. */
export interface BareRoot {
  folder: string;
  libraries: readonly string[];
  run(
    argv: readonly string[],
    stdin?: string,
    env?: Readonly<Record<string, string>>,
  ): { code: number | null; stdout: string; stderr: string };
}

/**
 * Creates a root with an executable, its libraries and certificates, but no shell and no Node. As in any
 * container, /proc and /dev are those of the system.
 * @param program the path of the executable, which becomes /bin/NAME
 * @throws Error if the program needs another library
 */
export function bareRoot(folder: string, program: string): BareRoot {
  const linked = spawnSync("ldd", [program], { encoding: "utf8" }).stdout;
  const paths = [...linked.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  const externalFiles = paths.filter((path) => !libraries.test(basename(path)));
  if (paths.length === 0 || externalFiles.length > 0)
    throw new Error(`${program} needs ${externalFiles.join(", ") || "no library that ldd knows"}`);
  for (const path of paths) put(folder, path);
  if (existsSync(authorities)) put(folder, authorities);
  const command = `/bin/${basename(program)}`;
  mkdirSync(join(folder, "bin"), { recursive: true });
  copyFileSync(program, join(folder, command));
  for (const name of ["proc", "dev", "tmp", "home"]) mkdirSync(join(folder, name), { recursive: true });
  return {
    folder,
    libraries: paths.map((path) => basename(path)),
    run(argv, stdin = "", env = { HOME: "/home" }) {
      // With unshare, an ordinary user can change the root. The namespace's mounts end with the process.
      const words = ["--map-root-user", "--mount", "sh", "-c", enter, folder, command, ...argv];
      const { status, stdout, stderr } = spawnSync("unshare", words, {
        input: stdin,
        encoding: "utf8",
        env: { ...inheritedEnvironment(), ...env },
        timeout: 60_000,
      });
      return { code: status, stdout, stderr };
    },
  };
}

const enter = `mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" || exit 99
PATH=$PATH:/usr/sbin exec chroot "$0" "$@"`;

function put(folder: string, path: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  copyFileSync(path, join(folder, path));
}
