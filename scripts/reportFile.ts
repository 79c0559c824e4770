/** Path of vitest's JSON report from the last `npm test`, relative to the repository's root. */
export const reportFile = 'test-results/vitest.json'

/** The test files whose process crashed, with the signal. */
export const crashesFile = 'test-results/crashes.json'
