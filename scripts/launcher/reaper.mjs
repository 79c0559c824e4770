// Cleans up after a launcher that was killed: reads the running process groups on stdin (`+pid`,
// `-pid`), and stops them if the pipe closes without `done`.
import { createInterface } from 'node:readline'
import { stop } from './stop.mjs'

const [mark = '', graceMs = '0'] = process.argv.slice(2)
/** @type {Set<number>} */
const groups = new Set()
let done = false

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (line === 'done') done = true
  else if (line.startsWith('+')) groups.add(Number(line.slice(1)))
  else groups.delete(Number(line.slice(1)))
})
lines.on('close', () => {
  if (done) return
  void stop({ groups: [...groups], mark, graceMs: Number(graceMs) })
})
