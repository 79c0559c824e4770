import { expect, test } from 'vitest'
import { createPendingResponses } from './createPendingResponses.ts'
import { type Command, emptySnapshot } from './engine/Engine.ts'
import type { Session } from './Session.ts'

test('resumeAll ignores an older session over the same pairing', async () => {
  const commands: Command[] = []
  const [old, fresh] = ['old', 'fresh'].map((topic) => ({ topic, pairingTopic: 'pairing' }))
  let sessions = [old as Session]
  const responses = createPendingResponses({
    run: async (command) => void commands.push(command),
    snapshot: () => ({ ...emptySnapshot, sessions }),
  })
  const response = responses.wait<Session>(7, { pairingTopic: 'pairing' })
  responses.markSent(7)
  responses.resumeAll()
  expect(commands).toEqual([{ type: 'resume', id: 7 }])
  sessions = [old as Session, fresh as Session]
  responses.resumeAll()
  expect(await response).toBe(fresh)
})
