import type { KitInstance } from '../../../core/kit/Kit.ts'

/**
 * The visitor's input, kept while the page is open, even if the wallet
 * disconnects in between.
 */
const drafts = new WeakMap<KitInstance, string>()

export function getDraft(kit: KitInstance): string {
  return drafts.get(kit) ?? ''
}

export function setDraft(kit: KitInstance, text: string): void {
  drafts.set(kit, text)
}
