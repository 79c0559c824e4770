import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Guard } from './guards/Guard.ts'

/**
 * Finds guards whose change is not valid code: it has a syntax error, or a name that does not exist. Such a change can
 * fail a test without switching the guard off, for example if a server answers a `ReferenceError` like another failure.
 *
 * @param copy - the folder of a copy of the repository. For each guard, a changed file is put beside the original, and
 *   all are checked in one run of the compiler
 * @returns the guards with the compiler's first error. Names are checked only if no change has a syntax error
 */
export async function checkGuards(
  guards: readonly Guard[],
  copy: string,
): Promise<{ guard: string; error: string }[]> {
  const files = guards.map(({ file }, index) => file.replace(/\.\w+$/, `.guard${index}$&`))
  try {
    for (const [index, { file, find, replace }] of guards.entries()) {
      const text = await readFile(join(copy, file), 'utf8')
      // A function, because `$` has a special meaning in a replacement string.
      const changed = text.replace(find, () => replace)
      await writeFile(join(copy, files[index]!), changed)
    }
    const output = await compile(copy)
    return guards.flatMap(({ guard }, index) => {
      const error = output.find((line) => line.startsWith(files[index]!) && isInvalid.test(line))
      return error === undefined ? [] : [{ guard, error }]
    })
  } finally {
    await Promise.all(files.map((file) => rm(join(copy, file), { force: true })))
  }
}

/** Syntax errors (TS1…), and names that do not exist. Other errors are expected: a change may remove a check. */
const isInvalid = /: error TS(?:1\d{3}|2304|2339|2551|2552|2663|18004):/

/** @returns the lines that the compiler prints */
function compile(folder: string): Promise<string[]> {
  const tsc = join(folder, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [tsc, '-p', 'tsconfig.json', '--pretty', 'false'],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      // The exit code is not 0 if there are errors.
      (error, stdout, stderr) =>
        stderr || (error && !stdout)
          ? reject(new Error(`tsc failed: ${stderr}`, { cause: error }))
          : resolve(stdout.split('\n')),
    )
  })
}
