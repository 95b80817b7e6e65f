import type { Referable } from "./references.js";

export const knowledgeItem: Referable = { list: "knowledge.list", noun: "knowledge item" };
