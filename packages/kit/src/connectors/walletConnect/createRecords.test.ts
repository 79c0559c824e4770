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
