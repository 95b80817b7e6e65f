/** The name of an input in messages. */
export function inputName(name: string): string {
  return name === "-" ? "standard input" : name;
}
