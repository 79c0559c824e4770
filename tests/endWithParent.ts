/**
 * Preloaded (`--import`) into programs that tests or the local stack start: sends the program SIGTERM
 * once its parent has exited.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
