import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds the first of some programs on this machine.
 *
 * @param names - Programs that do the same work, best first; an absolute path is taken as it is.
 * @param hint - What to install when none is there, for the error.
 * @returns The absolute path of the program.
 * @throws When none of them can be run; the message names them and the hint.
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
    return false // not there, or not ours to run: the next place is tried
  }
}
