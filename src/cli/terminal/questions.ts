/** Questions to a person, on stderr. Every one throws an interrupted error (130) on Ctrl-C. */
export interface Prompts {
  /** stdin and stderr are terminals and CI is unset: only then may anything be asked. */
  readonly available: boolean;
  text(question: {
    message: string;
    required?: boolean;
    validate?: (value: string) => true | string | Promise<true | string>;
    /** The reply confirms something: what was typed before the question is shown is dropped. */
    confirms?: boolean;
  }): Promise<string>;
  secret(question: { message: string }): Promise<string>;
  /** What was typed before the question is shown is dropped. */
  confirm(question: { message: string; default?: boolean }): Promise<boolean>;
  choose<T>(question: {
    message: string;
    choices: readonly { name: string; value: T; description?: string }[];
    /** Typed letters narrow the choice. */
    search?: boolean;
    /** The first of the choices is what is likely meant, and what Enter alone takes where nothing can be marked. */
    isFirstDefault?: boolean;
  }): Promise<T>;
}
