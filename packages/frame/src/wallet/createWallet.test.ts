import type { FrameUser, StageBody } from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import { expect, test } from 'vitest'
import type { Api } from '../api/createApi.ts'
import { createKeyPair, open, toOpeningKey } from '../custody/sealFor.ts'
import { run } from '../signer/operations.ts'
import { createStore } from '../store/createStore.ts'
import { createWallet } from './createWallet.ts'

/** A device of a server with these responses, in addition to those that store a set. */
function createDevice(responses: Record<string, unknown> = {}) {
  let staged: StageBody | undefined
  const send = async (path: string, body: unknown) => {
    if (path === 'wallet/stage') staged = body as StageBody
    return path === 'wallet/staged' ? staged : (responses[path] ?? {})
  }
  const wallet = createWallet({
    api: { send } as unknown as Api,
    store: createStore(undefined),
    signer: run,
    methods: ['automatic'],
  })
  return { wallet, staged: () => staged! }
}

const user: FrameUser = {
  id: 'ada',
  email: 'ada@example.com',
  userName: null,
  epoch: 1,
  needsCode: false,
  wallet: null,
  recovery: null,
}

test('attack: a restored wallet encrypts its recovery share for the key of the visitor, not for one that the server names', async () => {
  const first = createDevice()
  await first.wallet.prepare(user)
  const set = first.staged()
  const { eip155, solana, smartAccount, recoveryPublicKey, recoveryId } = set
  const recoveryKey = set.recoveryKey!
  const hostile = await createKeyPair()
  const methods = { recoveryId, version: 1, wraps: [], isAutomatic: true, signature: '0x' }
  const second = createDevice({
    'wallet/recovery': { ...set, ...methods, publicKey: hostile.publicKey },
    'wallet/escrow': { recoveryKey },
  })
  await second.wallet.prepare({
    ...user,
    wallet: { eip155, solana, smartAccount, setId: null },
    recovery: { recoveryId, version: 1, isAutomatic: true, isOutdated: false },
  } as FrameUser)
  const next = second.staged()
  expect(next.recoveryPublicKey).toBe(recoveryPublicKey)
  const bytes = new Uint8Array(base64urlnopad.decode(recoveryKey))
  const key = await toOpeningKey({ bytes, publicKey: recoveryPublicKey })
  await expect(open(key, next.recoveryShare, `recovery|${next.setId}`)).resolves.toBeDefined()
})
