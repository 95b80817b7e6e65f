// The one door to the YAML library, loaded by the command that meets some.
export { parse as parseYaml, stringify as stringifyYaml } from "yaml";
