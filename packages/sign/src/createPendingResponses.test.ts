import { expect, test } from 'vitest'
import { createPendingResponses } from './createPendingResponses.ts'
import { type Command, emptySnapshot } from './engine/Engine.ts'
import type { Session } from './Session.ts'

test('a tab that takes over does not take the last session of a pairing for the new one', async () => {
  const given: Command[] = []
  const [old, fresh] = ['old', 'fresh'].map((topic) => ({ topic, pairingTopic: 'pairing' }))
  let sessions = [old as Session]
  const waiting = createPendingResponses({
    run: async (command) => void given.push(command),
    snapshot: () => ({ ...emptySnapshot, sessions }),
  })
  const answer = waiting.wait<Session>(7, { pairingTopic: 'pairing' })
  waiting.asked(7)
  waiting.askAgain()
  expect(given).toEqual([{ type: 'resume', id: 7 }])
  sessions = [old as Session, fresh as Session]
  waiting.askAgain()
  expect(await answer).toBe(fresh)
})
