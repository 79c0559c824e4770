/** A guard, the change that switches it off, and the test that must then fail. */
export type Guard = {
  /** The attack that the guard stops. */
  point: number
  /** Describes the guard in one sentence. */
  guard: string
  /** The source file, relative to the repository. */
  file: string
  /** Text that occurs once in the file. */
  find: string
  /** Replaces `find` to switch the guard off. */
  replace: string
  /** The test file. */
  test: string
  /**
   * Title of the test, without describe titles and requirements. The title of a table matches all
   * its tests.
   */
  title: string
  /** Whether the test fails because it times out. */
  timesOut?: boolean
}

/** Folders of the sources. */
export const server = 'packages/server/src'
export const redis = `${server}/relay/drivers/redis`
export const embedded = `${server}/relay/drivers/embedded`
