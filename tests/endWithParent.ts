/**
 * Sends this process SIGTERM once its parent has exited. Preloaded (`--import`) into the programs
 * that tests or the local stack start.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
