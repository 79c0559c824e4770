import { expect, test, vi } from 'vitest'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { memoryStorage } from '../../core/storage/storage.ts'
import { createRecords } from './createRecords.ts'

const orrery = {
  id: 'orrery',
  name: 'Orrery',
  mobile_link: 'orrery',
  webapp_link: 'https://o.example',
}

test.each([
  ['opened if the link is the wallet’s scheme', { id: 'orrery', href: 'orrery://' }, 'orrery://'],
  [
    'opened if the link is the wallet’s page',
    { id: 'orrery', href: 'https://o.example/' },
    'https://o.example/',
  ],
  [
    'ignored if the link is a foreign page',
    { id: 'orrery', href: 'https://evil.example/' },
    undefined,
  ],
  ['ignored if the link is a foreign scheme', { id: 'orrery', href: 'evil://' }, undefined],
  ['ignored if the wallet is unknown', { id: 'evil', href: 'https://evil.example/' }, undefined],
  ['ignored if there is no wallet id', { href: 'https://evil.example/' }, undefined],
])('attack: a stored app link is %s', async (_what, stored, base) => {
  const storage = memoryStorage()
  storage.setItem('WALLETCONNECT_DEEPLINK_CHOICE', JSON.stringify({ name: 'Orrery', ...stored }))
  const records = createRecords({
    storage,
    storageKey: 'gatefold',
    findWallet: async (id) => (id === 'orrery' ? orrery : undefined),
  })
  const link = await records.requestLink({ id: 7, topic: 'ab' })
  expect(link?.href).toBe(base && `${base}wc?requestId=7&sessionTopic=ab`)
})

const store = (app: object) => {
  const storage = memoryStorage()
  storage.setItem('WALLETCONNECT_DEEPLINK_CHOICE', JSON.stringify(app))
  return { storage, storageKey: 'gatefold' }
}

test('a lookup of the wallet that fails is repeated with the next request', async () => {
  const findWallet = vi
    .fn<ConnectorContext['findWallet']>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue(orrery)
  const records = createRecords({ ...store({ id: 'orrery', href: 'orrery://' }), findWallet })
  const request = { id: 7, topic: 'ab' }
  expect(await records.requestLink(request)).toBeUndefined()
  expect(await records.requestLink(request)).toMatchObject({
    href: expect.stringMatching(/^orrery/),
  })
  expect(await records.requestLink(request)).toBeDefined()
  expect(findWallet).toHaveBeenCalledTimes(2)
})

test('attack: a stored app link is ignored if the directory returns another wallet', async () => {
  const location = store({ id: 'other', href: 'orrery://' })
  const records = createRecords({ ...location, findWallet: async () => orrery })
  expect(await records.requestLink({ id: 7, topic: 'ab' })).toBeUndefined()
})
