import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds the first program that is available.
 *
 * @param names - Program names or absolute paths, in order of preference.
 * @param hint - What to install, for the error message.
 * @returns The absolute path of the program.
 * @throws If none of them can be run; the message contains their names and the hint.
 */
export function findProgram(names: readonly (string | undefined)[], hint: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const name of names) {
    if (!name) continue
    const places = name.includes('/') ? [name] : folders.map((folder) => join(folder, name))
    const place = places.find(canRun)
    if (place) return place
  }
  throw new Error(`None of ${names.filter(Boolean).join(', ')} was found. ${hint}`)
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // missing or not executable
  }
}
