import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { createWriteCoalescer } from './createWriteCoalescer.ts'

function createStream() {
  const writes: string[][] = []
  const stream = new Duplex({
    read() {},
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)))
      done()
    },
  })
  return { stream, writes }
}

test('coalesces the writes of one turn into one for each stream, in order', async () => {
  const coalescer = createWriteCoalescer()
  const [first, second] = [createStream(), createStream()]
  const send = ({ stream }: { stream: Duplex }, text: string) => {
    coalescer.cork(stream)
    stream.write(text)
  }
  send(first, 'a')
  send(second, 'b')
  // Promise jobs of this turn are included.
  await Promise.resolve().then(() => send(first, 'c'))
  expect(first.writes).toEqual([])
  await new Promise(setImmediate)
  expect([first.writes, second.writes]).toEqual([[['a', 'c']], [['b']]])
  send(first, 'd')
  await new Promise(setImmediate)
  expect(first.writes).toEqual([['a', 'c'], ['d']])
})

test('does not change a stream that is already corked', async () => {
  const coalescer = createWriteCoalescer()
  const { stream, writes } = createStream()
  stream.cork()
  coalescer.cork(stream)
  stream.write('a')
  await new Promise(setImmediate)
  expect(writes).toEqual([])
  stream.uncork()
  expect(writes).toEqual([['a']])
})
