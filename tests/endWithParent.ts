/**
 * Loaded before a program that a test or the local stack starts (`--import`): asks the program to
 * stop when the one that started it is gone, however that one ended.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
