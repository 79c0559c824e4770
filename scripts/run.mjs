#!/usr/bin/env node
// Entry point of `npm start`, `npm test` and the other tasks. It must run in every version of Node.js that
// has ES modules, so that a version that is too old gets a message instead of a stack trace.
const oldest = 18
if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error(
    'gatefold: The npm scripts need Node.js ' +
      oldest +
      ' or newer, but this is ' +
      process.versions.node +
      '. Install a newer Node.js from https://nodejs.org.',
  )
  process.exitCode = 1
} else {
  void import('./launcher/main.mjs')
}
