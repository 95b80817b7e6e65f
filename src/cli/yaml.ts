// One module with named exports: the library is CommonJS, and a bundle gives an import() of such a thing no names.
export { parse as parseYaml, stringify as stringifyYaml } from "yaml";
