export function inputName(name: string): string {
  return name === "-" ? "standard input" : name;
}
