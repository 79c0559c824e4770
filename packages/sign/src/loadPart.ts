import { LoadError } from './errors.ts'

/** What an `import()` brings. @throws {LoadError} when it brings nothing. */
export async function loadPart<part>(loading: Promise<part>): Promise<part> {
  try {
    return await loading
  } catch (cause) {
    throw new LoadError(cause)
  }
}
