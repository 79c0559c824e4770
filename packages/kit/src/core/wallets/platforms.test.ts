import { expect, test } from 'vitest'

import { platformsOf } from './platforms.ts'
import type { WalletListing } from './WalletListing.ts'

const everything = {
  rdns: 'dev.orrery',
  mobile_link: 'orrery://',
  webapp_link: 'https://orrery.app',
  desktop_link: 'orrery-desktop://',
}

test.each<[string, Partial<WalletListing>, { mobile?: boolean; installed?: boolean }, string[]]>([
  [
    'all links, installed, on desktop',
    everything,
    { installed: true },
    ['browser', 'code', 'web', 'desktop'],
  ],
  ['all links, not installed, on desktop', everything, {}, ['code', 'web', 'desktop', 'missing']],
  ['all links, on a phone', everything, { mobile: true }, ['mobile', 'web']],
  [
    'only a universal link, on a phone',
    { link_mode: 'https://orrery.app' },
    { mobile: true },
    ['mobile'],
  ],
  [
    'a mobile link and an extension, on desktop',
    { mobile_link: 'orrery://', chrome_store: 'https://store.example' },
    {},
    ['code', 'missing'],
  ],
  ['only a mobile link, on desktop', { mobile_link: 'orrery://' }, {}, ['code']],
  ['only an extension, on desktop', { chrome_store: 'https://store.example' }, {}, ['missing']],
  ['only an extension, on a phone', { chrome_store: 'x' }, { mobile: true }, ['missing']],
  ['no links', {}, {}, ['missing']],
])(
  'the platforms for a wallet with %s',
  (_, wallet, { mobile = false, installed = false }, platforms) => {
    expect(platformsOf({ id: 'x', name: 'Orrery', ...wallet }, { mobile, installed })).toEqual(
      platforms,
    )
  },
)

test('without a wallet, the only platform is a QR code', () => {
  expect(platformsOf(undefined, { mobile: false, installed: true })).toEqual(['code'])
})
