/**
 * The pid of the only process whose children are stopped. Set for programs whose own children inherit `--import`.
 */
const parent = process.env['GATEFOLD_TEST_PARENT']

/**
 * Sends this process SIGTERM once its parent has exited. Preloaded (`--import`) into the programs
 * that tests or the local stack start.
 */
if (parent === undefined || Number(parent) === process.ppid) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}
