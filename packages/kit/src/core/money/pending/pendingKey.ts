import type { KitInstance } from '../../kit/Kit.ts'

/** The storage key of the transactions that a project's site submitted. */
export function pendingKey({ options }: KitInstance): string {
  return `${options.storageKey}.pending.${options.projectId ?? 'default'}`
}
