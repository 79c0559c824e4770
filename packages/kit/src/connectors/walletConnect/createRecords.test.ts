import { expect, test } from 'vitest'

import { memoryStorage } from '../../core/storage/storage.ts'
import { createRecords } from './createRecords.ts'

const orrery = {
  id: 'orrery',
  name: 'Orrery',
  mobile_link: 'orrery',
  webapp_link: 'https://o.example',
}

test.each([
  ['the wallet’s scheme', { id: 'orrery', href: 'orrery://' }, 'orrery://'],
  ['the wallet’s page', { id: 'orrery', href: 'https://o.example/' }, 'https://o.example/'],
  ['a foreign page', { id: 'orrery', href: 'https://evil.example/' }, undefined],
  ['a foreign scheme', { id: 'orrery', href: 'evil://' }, undefined],
  ['an unknown wallet', { id: 'evil', href: 'https://evil.example/' }, undefined],
  ['a link without a wallet', { href: 'https://evil.example/' }, undefined],
])('attack: a stored app with %s', async (_what, stored, base) => {
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
