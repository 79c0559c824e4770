import { instanceOf } from './Kit.ts'
import type { Kit } from './Kit.ts'
import type { Preferences } from './preferences.ts'

/** Changes and stores choices of the visitor. */
export function setPreferences(kit: Kit, preferences: Partial<Preferences>): void {
  const instance = instanceOf(kit)
  instance.dispatch({ type: 'preferences.changed', preferences })
  const stored = instance.persisted.read().preferences
  instance.persisted.write({ preferences: { ...stored, ...preferences } })
}
