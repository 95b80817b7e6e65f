/** Returns the name of an input for messages. */
export function inputName(name: string): string {
  return name === "-" ? "standard input" : name;
}
