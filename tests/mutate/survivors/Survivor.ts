/**
 * A mutant that survives, and the reason. `code` and `to` are the code before and after the
 * mutation, in one line; they may end in `…`. Without `to`, the entry covers every mutation of the
 * code.
 */
export type Survivor = { file: string; code: string; to?: string; why: string; equivalent: boolean }
