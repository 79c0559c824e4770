#!/usr/bin/env node
// The command `gatefold`: checks the version of Node.js, then runs bin.ts from source. This file must
// run in every version of Node.js that has ES modules, so that a version that is too old gets a message
// instead of a stack trace.
const oldest = { major: 22, minor: 22 }
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
  console.error(
    'gatefold: The server needs Node.js ' +
      oldest.major +
      '.' +
      oldest.minor +
      ' or newer, but this is ' +
      process.versions.node +
      '. Install a newer Node.js from https://nodejs.org, or use “npm run gatefold --” instead of “gatefold”, which fetches one.',
  )
  process.exitCode = 1
} else {
  void import('./cli/runFromSource.mjs').then(({ runFromSource }) => runFromSource())
}
