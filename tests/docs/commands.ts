/**
 * Commands in the documents that the tests do not run as written: the reason, and the file that covers each
 * instead. A key matches all commands that begin with it. All other commands are run and must succeed.
 */
export const exceptions: Record<string, { reason: string; coveredBy: string }> = {
  'npm start': {
    reason: 'it builds two sites and opens the default ports',
    coveredBy: 'tests/stack.test.ts',
  },
  'npm run dev': {
    reason: 'it needs an app; in this repository, it is npm start with the sources of the Book',
    coveredBy: 'tests/docs/firstHour.test.ts',
  },
  'npm test': { reason: 'it is running', coveredBy: 'scripts/test.ts' },
  'npm run lint': { reason: 'npm test runs it', coveredBy: 'scripts/test.ts' },
  'npm run format': { reason: 'npm test runs it', coveredBy: 'scripts/test.ts' },
  'npm run typecheck': { reason: 'npm test runs it', coveredBy: 'scripts/test.ts' },
  'npm run spec': {
    reason: 'it reads npm test’s results',
    coveredBy: 'scripts/checks/readResults.test.ts',
  },
  'npm run docs:api': {
    reason: 'it rewrites the reference that is being tested',
    coveredBy: 'scripts/checks/findApiProblems.test.ts',
  },
  'npm run playground': {
    reason: 'it opens a fixed port',
    coveredBy: 'tests/ui/playground.test.ts',
  },
  'npm run firstHour': {
    reason: 'it downloads the newest tools',
    coveredBy: 'tests/docs/firstHour.test.ts',
  },
  'npm run bench': { reason: 'it measures for minutes', coveredBy: 'bench/main.ts' },
  'npm run faults': {
    reason: 'it kills servers for minutes',
    coveredBy: 'tests/faults/faults.test.ts',
  },
  'npm run attacks': {
    reason: 'it runs every guard’s tests twice',
    coveredBy: 'tests/attacks/main.ts',
  },
  'npm run mutate': { reason: 'it runs for hours', coveredBy: 'tests/mutate/main.ts' },
  'npm run build': {
    reason: 'it changes the checkout',
    coveredBy: 'tests/docs/firstHour.test.ts',
  },
  'npm ci --ignore-scripts --prefix apps/chain/bundler': {
    reason: 'it installs an optional program of 375 MB',
    coveredBy: 'apps/chain/src/bundler/startBundler.test.ts',
  },
  'npm install --save-exact': {
    reason: 'it is an example for a new dependency',
    coveredBy: 'scripts/checks/findLockfileProblems.test.ts',
  },
  'npm install @gatefold/kit': {
    reason: 'the packages are not on npm yet',
    coveredBy: 'tests/docs/firstHour.test.ts',
  },
  'npm install': {
    reason: 'it would replace the running checkout',
    coveredBy: 'scripts/run.test.ts',
  },
  'cd ../my-app && npm install ../gatefold': {
    reason: 'it needs a site',
    coveredBy: 'tests/docs/firstHour.test.ts',
  },
  'npm create vite': {
    reason: 'it needs an empty folder',
    coveredBy: 'tests/docs/firstHour.test.ts',
  },
  'npx create-next-app': {
    reason: 'it needs an empty folder',
    coveredBy: 'tests/docs/firstHour.test.ts',
  },
  'cd my-app': { reason: 'it needs a site', coveredBy: 'tests/docs/firstHour.test.ts' },
  'gatefold backup open': {
    reason: 'it needs a backup and its password',
    coveredBy: 'tests/frame/recovery.test.ts',
  },
  'node packages/server/scripts/importDirectory.ts': {
    reason: 'it downloads the directory’s sources',
    coveredBy: 'packages/server/scripts/importDirectory.ts',
  },
}

/** Commands that fail here for a reason outside the repository, with the exit code and the expected output. */
export const failing: Record<string, { code: number; output: RegExp }> = {
  'gatefold doctor --url https://gate.my.site': {
    code: 1,
    output: /gate\.my\.site cannot be reached/,
  },
}
