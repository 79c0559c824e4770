import { expect, test } from 'vitest'

import type { Connector } from '../connection/Connector.ts'
import { platformsOf } from './platforms.ts'
import type { WalletListing } from './WalletListing.ts'

const orrery: Connector = {
  id: 'dev.orrery',
  name: 'Orrery',
  type: 'ANNOUNCED',
  chain: 'eip155',
  info: { rdns: 'dev.orrery' },
}
const everything = {
  rdns: 'dev.orrery',
  mobile_link: 'orrery://',
  webapp_link: 'https://orrery.app',
  desktop_link: 'orrery-desktop://',
}

test.each<[string, Partial<WalletListing>, { mobile?: boolean; installed?: boolean }, string[]]>([
  ['everything, on a desk', everything, { installed: true }, ['browser', 'code', 'web', 'desktop']],
  ['not installed, on a desk', everything, {}, ['code', 'web', 'desktop', 'missing']],
  ['everything, on a phone', everything, { mobile: true }, ['mobile', 'web']],
  ['a link of the web alone', { link_mode: 'https://orrery.app' }, { mobile: true }, ['mobile']],
  ['an extension alone', { chrome_store: 'https://store.example' }, {}, ['missing']],
  ['an extension alone, on a phone', { chrome_store: 'x' }, { mobile: true }, ['missing']],
  ['nothing', {}, {}, ['missing']],
])('%s', (_, wallet, { mobile = false, installed = false }, platforms) => {
  expect(
    platformsOf(
      { id: 'x', name: 'Orrery', ...wallet },
      {
        mobile,
        connectors: installed ? [orrery] : [],
      },
    ),
  ).toEqual(platforms)
})

test('any wallet, by code', () => {
  expect(platformsOf(undefined, { mobile: false, connectors: [orrery] })).toEqual(['code'])
})
