import type { KitInstance } from '../core/kit/Kit.ts'

/** The key of a query in the provider's query client, which several instances may share. */
export function queryKey(
  kit: KitInstance,
  name: string,
  ...rest: readonly unknown[]
): readonly unknown[] {
  return ['gatefold', kit.options.storageKey, name, ...rest]
}
