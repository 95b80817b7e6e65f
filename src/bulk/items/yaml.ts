// One module with named exports: the library is CommonJS, and a bundle gives an import() of such a thing no names.
export { parse as parseYaml } from "yaml";
