import { limits } from '@gatefold/protocol'
import { expect, it } from 'vitest'
import { BusyError } from './approval/createApprovals.ts'
import { createTurns } from './createTurns.ts'

it('runs one task at a time, also after one has failed', async () => {
  const inTurn = createTurns()
  const log: string[] = []
  const run = (name: string, fails = false) =>
    inTurn(async () => {
      log.push(`${name} starts`)
      await Promise.resolve()
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  expect(await Promise.allSettled([run('first', true), run('second')])).toMatchObject([
    { status: 'rejected' },
    { value: 'second' },
  ])
  expect(log).toEqual(['first starts', 'first ends', 'second starts', 'second ends'])
})

it('attack: a page that requests without end is refused', async () => {
  const inTurn = createTurns()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const waiting = Array.from({ length: limits.frameQueueLength }, () => inTurn(() => held))
  const eleventh = inTurn(() => held)
  release()
  await expect(eleventh).rejects.toBeInstanceOf(BusyError)
  await Promise.all(waiting)
  await inTurn(() => held)
})
