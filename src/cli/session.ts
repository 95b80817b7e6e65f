import type { Clock } from "../base/clock.js";
import type { Io } from "../base/io.js";
import type { Random } from "../base/random.js";
import type { Step } from "../bulk/journal/journal.js";
import type { Client, ClientEvent, ClientOptions } from "../client/types.js";
import type { SurfaceName } from "../contract/surfaces.js";
import type { Emulator } from "../emulator/types.js";
import type { Output } from "./output/output.js";
import type { Keychain } from "./profiles/keychain.js";
import type { ChosenProfile } from "./profiles/profile.js";
import type { Secrets } from "./secrets.js";

export type Format = "table" | "json" | "yaml" | "ndjson" | "csv";

/** The flags that every command takes, before or after its own. */
export interface GlobalFlags {
  readonly profile?: string | undefined;
  /** Work with no profile that nobody named. */
  readonly requireProfile: boolean;
  /** As given by `-o`; what is used when it was not is `session.output.format`. */
  readonly output?: Format | undefined;
  readonly fields?: readonly string[] | undefined;
  /** `false` by `--no-color`. */
  readonly color: boolean;
  /** Tables with all their columns and whole cells, however wide the terminal. */
  readonly wide: boolean;
  /** For screen readers: a line for each value, nothing drawn, nothing redrawn, no colours. */
  readonly plain: boolean;
  /** Don't ask. */
  readonly yes: boolean;
  /** The name typed to confirm a destructive command of a production profile. */
  readonly confirm?: string | undefined;
  readonly debug: boolean;
  /** Bound on one attempt. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Bound on the waiting that limits ask for. */
  readonly maxWaitMilliseconds?: number | undefined;
  /** Offline, wait instead of moving the world's clock. */
  readonly realTime: boolean;
}

/** A profile's service, reached. */
export interface Connection {
  readonly profile: ChosenProfile;
  readonly client: Client;
  /** What the client waits on: the world's clock offline, else the system's. */
  readonly clock: Clock;
  /** What the client was made from: bulk runs make their own with other bounds and listeners. */
  readonly clientOptions: ClientOptions;
  /** The base address, for messages and for telling runs apart. */
  baseUrl(surface: SurfaceName): string | undefined;
  /** The embedded world, where the profile is an offline one and no server holds its file. */
  readonly emulator: Emulator | undefined;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** The command changes something: refused (12) when the profile was chosen by nobody and no person is there. */
  mutates?: boolean;
  /** Also told of what the client does. */
  onEvent?: (event: ClientEvent) => void;
  /** Say nothing about waiting on stderr: the command shows it itself. */
  quiet?: boolean;
}

/** Questions to a person, on stderr. Every one throws an interrupted error (130) on Ctrl-C. */
export interface Prompts {
  /** stdin and stderr are terminals and CI is unset: only then may anything be asked. */
  readonly available: boolean;
  text(question: {
    message: string;
    required?: boolean;
    validate?: (value: string) => true | string;
  }): Promise<string>;
  secret(question: { message: string }): Promise<string>;
  confirm(question: { message: string; default?: boolean }): Promise<boolean>;
  choose<T>(question: {
    message: string;
    choices: readonly { name: string; value: T; description?: string }[];
    /** Typed letters narrow the choice. */
    search?: boolean;
  }): Promise<T>;
}

/** stderr: notes, warnings, progress. Control characters in the text are escaped; a line each. */
export interface Notes {
  note(text: string): void;
  warn(text: string): void;
  /** One that must not be overlooked. */
  banner(text: string): void;
  /** Only with --debug. */
  debug(text: string): void;
  /** As it is, without a line's end: for progress bars. */
  raw(text: string): void;
  /** stderr is a terminal that can redraw. */
  readonly live: boolean;
  /** stderr is a terminal, whose width bounds what is drawn. */
  readonly terminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
}

/** Colours, or the text as it is where colour is off. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** The folders that voxctl keeps its things in. */
export interface Folders {
  config: string;
  data: string;
}

/** Everything a command may use: one per run of `main`. */
export interface Session {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly output: Output;
  readonly notes: Notes;
  readonly prompts: Prompts;
  readonly folders: Folders;
  readonly keychain: Keychain;
  /** Whoever reads a secret says so here. */
  readonly secrets: Secrets;
  /** The system's clock; the world's is `connection.clock`. */
  readonly clock: Clock;
  /** What time it is where the results come from, as far as is known. Milliseconds. */
  serviceNow(): number;
  /** Has an answer of this run said that it comes from an emulator? */
  isEmulator(): boolean;
  readonly random: Random;
  /** For tests that end the process in the middle of a bulk run. */
  readonly onJournalStep: ((step: Step) => void) | undefined;
  /** Aborted on SIGINT and SIGTERM, its reason an interrupted error. */
  readonly signal: AbortSignal;
  /** The profile this run works with. Decided once, by the first call; only that may name another than the chosen one. */
  profile(name?: string): Promise<ChosenProfile>;
  /** Opens the profile's service, once per run; `main` closes it. */
  connect(options?: ConnectOptions): Promise<Connection>;
  /** Opens the service of a profile that need not be stored. The caller closes it. */
  reach(profile: ChosenProfile): Promise<Connection>;
  /**
   * Is somebody or some flag there to confirm a destructive command? Asked before anything is read for it.
   * @throws refused error (12) that names the flag
   */
  assertConfirmable(): Promise<void>;
  /**
   * Asks before something that can't be taken back. `--yes` answers; a production profile wants `--confirm=<name>`.
   * @param about `loses: false` where nothing is lost by it, but much is done
   * @throws refused error (12) when nobody can be asked or the answer is no
   */
  confirm(question: string, about?: { loses: boolean }): Promise<void>;
  /** Names of ids met so far, so that tables can show them without a request. */
  readonly names: Map<string, string>;
}
