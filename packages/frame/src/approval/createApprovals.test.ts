import { expect, it } from 'vitest'
import {
  AbortedError,
  BusyError,
  createApprovals,
  RejectedError,
  type Pending,
} from './createApprovals.ts'
import type { Statement } from './Statement.ts'

const plain: Statement = {
  heading: 'Sign',
  sentence: 'Sign a message',
  level: 'plain',
  notes: [],
  movements: [],
  details: [],
  action: 'Sign',
}

function setUp() {
  const approvals = createApprovals()
  let shown: Pending | undefined
  let waiting = 0
  approvals.watch((pending, count) => {
    shown = pending
    waiting = count
  })
  const used: string[] = []
  const ask = (name: string, statement = plain) =>
    approvals.ask(
      { origin: 'https://app.example', kind: 'message' },
      () => Promise.resolve({ statement, prepared: name }),
      (prepared) => {
        used.push(prepared)
        return Promise.resolve(`signed ${prepared}`)
      },
    )
  return { approvals, ask, used, shown: () => shown!, waiting: () => waiting }
}

/** Lets the promises of a queue settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('asks one request after another', async () => {
  const { ask, used, shown, waiting } = setUp()
  const first = ask('a')
  const second = ask('b')
  await settled()
  expect(waiting()).toBe(1)
  shown().approve()
  await expect(first).resolves.toBe('signed a')
  expect(used).toEqual(['a'])
  await settled()
  expect(waiting()).toBe(0)
  shown().reject()
  await expect(second).rejects.toThrow(RejectedError)
  expect(used).toEqual(['a'])
  expect(shown()).toBeUndefined()
})

it('attack: an eleventh request is refused; the others are not affected', async () => {
  const { ask, used, shown } = setUp()
  const asked = Array.from({ length: 10 }, (_, index) => ask(`${index}`))
  const eleventh = ask('10').catch((error: unknown) => error)
  await settled()
  expect(await Promise.race([eleventh, Promise.resolve('it waits')])).toBeInstanceOf(BusyError)
  for (const one of asked) {
    await settled()
    shown().approve()
    await one
  }
  expect(used).toHaveLength(10)
})

it('§8.10.3 error: cancelling rejects all requests without showing the queued ones', async () => {
  const { approvals, ask, used, shown } = setUp()
  const asked = [ask('a'), ask('b'), ask('c')]
  await settled()
  const seen = shown()
  approvals.cancel()
  for (const one of asked) {
    await expect(one).rejects.toThrow(AbortedError)
    await expect(one).rejects.toThrow('Request was aborted')
  }
  seen.approve()
  await settled()
  expect(used).toEqual([])
  expect(shown()).toBeUndefined()
})

it('attack: a signature that is ready after the request was cancelled is not sent', async () => {
  const approvals = createApprovals()
  let shown: Pending | undefined
  approvals.watch((pending) => (shown = pending))
  const signature = Promise.withResolvers<string>()
  const asked = approvals.ask(
    { origin: 'https://app.example', kind: 'message' },
    () => Promise.resolve({ statement: plain, prepared: undefined }),
    () => signature.promise,
  )
  await settled()
  shown!.approve()
  approvals.cancel()
  signature.resolve('0xsigned')
  await expect(asked).rejects.toThrow('Request was aborted')
})

it('attack: a call that cannot be decoded needs two approvals', async () => {
  const { ask, used, shown } = setUp()
  const second: Statement = { ...plain, sentence: 'Approve without knowing?' }
  const asked = ask('a', { ...plain, second })
  await settled()
  shown().approve()
  await settled()
  expect(used).toEqual([])
  expect(shown().statement!.sentence).toBe('Approve without knowing?')
  shown().approve()
  await expect(asked).resolves.toBe('signed a')
})

it('attack: a refused request cannot be approved', async () => {
  const { ask, used, shown } = setUp()
  const asked = ask('a', { ...plain, level: 'refused' })
  await settled()
  shown().approve()
  await settled()
  expect(used).toEqual([])
  shown().reject()
  await expect(asked).rejects.toThrow('User rejected the request.')
})

it('attack: a request cannot be approved before it is examined, and only once', async () => {
  const approvals = createApprovals()
  let shown: Pending | undefined
  approvals.watch((pending) => (shown = pending))
  const examined = Promise.withResolvers<{ statement: Statement; prepared: string }>()
  let uses = 0
  const asked = approvals.ask(
    { origin: 'https://app.example', kind: 'message' },
    () => examined.promise,
    async (prepared) => {
      uses += 1
      await settled()
      return prepared
    },
  )
  shown!.approve()
  expect(uses).toBe(0)
  examined.resolve({ statement: plain, prepared: 'a' })
  await settled()
  shown!.approve()
  shown!.approve()
  await expect(asked).resolves.toBe('a')
  expect(uses).toBe(1)
})

/** A request whose amount the visitor can change. Each examination ends when the test says so. */
async function askWithLimit() {
  const { approvals, shown } = setUp()
  const examinations: PromiseWithResolvers<{ statement: Statement; prepared: unknown }>[] = []
  const asked = approvals.ask(
    { origin: 'https://app.example', kind: 'approval' },
    (chosen) => {
      const examination = Promise.withResolvers<{ statement: Statement; prepared: unknown }>()
      examinations.push(examination)
      return examination.promise.then(({ statement }) => ({ statement, prepared: [...chosen] }))
    },
    (prepared) => Promise.resolve(prepared),
  )
  const finish = async (index: number, sentence: string) => {
    examinations[index]!.resolve({ statement: { ...plain, sentence }, prepared: undefined })
    await settled()
  }
  const fail = async (index: number) => {
    examinations[index]!.reject(new Error('no network'))
    await settled()
  }
  await finish(0, 'unlimited')
  return { asked, shown, finish, fail }
}

it('attack: while a changed amount is examined, nothing can be approved', async () => {
  const { asked, shown, finish } = await askWithLimit()
  shown().limit(0, 25n)
  expect(shown()).toMatchObject({ change: 'examining', statement: { sentence: 'unlimited' } })
  shown().approve()
  await finish(1, '25')
  expect(shown()).toMatchObject({ change: undefined, statement: { sentence: '25' } })
  shown().approve()
  await expect(asked).resolves.toEqual([[0, 25n]])
})

it('of several changes, only the last one counts', async () => {
  const { asked, shown, finish } = await askWithLimit()
  shown().limit(0, 25n)
  shown().limit(0, 7n)
  await finish(2, '7')
  await finish(1, '25')
  expect(shown()).toMatchObject({ change: undefined, statement: { sentence: '7' } })
  shown().limit(1, undefined)
  await finish(3, '7 and unlimited')
  shown().approve()
  await expect(asked).resolves.toEqual([
    [0, 7n],
    [1, undefined],
  ])
})

it('error: if an amount cannot be examined, the amounts that are shown stay', async () => {
  const { asked, shown, fail } = await askWithLimit()
  shown().limit(0, 25n)
  await fail(1)
  expect(shown()).toMatchObject({ change: 'failed', statement: { sentence: 'unlimited' } })
  shown().approve()
  await expect(asked).resolves.toEqual([])
})
