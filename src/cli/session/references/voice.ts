import type { Referable } from "./references.js";

export const voice: Referable = { list: "voices.list", noun: "voice", distinction: "generation" };
