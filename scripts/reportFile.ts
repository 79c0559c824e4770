/** Vitest's JSON report of the last `npm test`, in the repository's root. */
export const reportFile = 'test-results/vitest.json'
