import { expect, test } from 'vitest'

import { appLink, linkOf, requestLink } from './appLink.ts'

const uri = 'wc:7f6e@2?relay-protocol=irn&symKey=58'
const encoded = 'wc%3A7f6e%402%3Frelay-protocol%3Dirn%26symKey%3D58'

test.each([
  ['a scheme', { link: 'orrery://' }, 'orrery://', `orrery://wc?uri=${encoded}`],
  ['a scheme without slashes', { link: 'orrery:' }, 'orrery://', `orrery://wc?uri=${encoded}`],
  ['a scheme with one slash', { link: 'orrery:/' }, 'orrery://', `orrery://wc?uri=${encoded}`],
  ['a bare word', { link: 'orrery' }, 'orrery://', `orrery://wc?uri=${encoded}`],
  ['a path', { link: 'app://orrery' }, 'app://orrery/', `app://orrery/wc?uri=${encoded}`],
  [
    'a universal link',
    { link: 'https://orrery.app' },
    'https://orrery.app/',
    `https://orrery.app/wc?uri=${encoded}`,
  ],
  [
    'the app rather than the universal link',
    { link: 'orrery://', universal: 'https://orrery.app' },
    'orrery://',
    `orrery://wc?uri=${encoded}`,
  ],
  [
    'the universal link if the site prefers it',
    { link: 'orrery://', universal: 'https://orrery.app', preferUniversal: true },
    'https://orrery.app/',
    `https://orrery.app/wc?uri=${encoded}`,
  ],
  [
    'the universal link if there is no app',
    { link: null, universal: 'https://orrery.app' },
    'https://orrery.app/',
    `https://orrery.app/wc?uri=${encoded}`,
  ],
  [
    'the app if the universal link is unsafe',
    { link: 'orrery://', universal: 'javascript://x', preferUniversal: true },
    'orrery://',
    `orrery://wc?uri=${encoded}`,
  ],
  [
    'a doubly encoded URI, for Telegram on Android',
    { link: 'orrery://', doubled: true },
    'orrery://',
    `orrery://wc?uri=${encodeURIComponent(encoded)}`,
  ],
] as const)('the app link for a pairing URI uses %s', (_, parameters, href, link) => {
  expect(appLink({ ...parameters, uri })).toEqual({ href, link })
})

test.each(['javascript://alert(1)', 'data://text', undefined, null, ''])(
  'error: there is no app link for %s',
  (link) => {
    expect(appLink({ link, uri })).toBeUndefined()
  },
)

test.each([
  ['orrery://', 'orrery://wc?requestId=7&sessionTopic=ab'],
  ['https://orrery.app/', 'https://orrery.app/wc?requestId=7&sessionTopic=ab'],
  [
    'https://t.me/orrery/app/',
    'https://t.me/orrery/app?startapp=cmVxdWVzdElkPTcmc2Vzc2lvblRvcGljPWFi',
  ],
  [
    'https://t.me/orrery?mode=compact',
    'https://t.me/orrery?mode=compact&startapp=cmVxdWVzdElkPTcmc2Vzc2lvblRvcGljPWFi',
  ],
  ['https://t.mewallet.app/', 'https://t.mewallet.app/wc?requestId=7&sessionTopic=ab'],
  ['https://orrery.app/open', 'https://orrery.app/open/wc?requestId=7&sessionTopic=ab'],
  ['javascript://', undefined],
])('the request link for %s is %s', (href, link) => {
  expect(requestLink(href, { id: 7, topic: 'ab' })).toBe(link)
})

test('each kind of app has its link in the directory', () => {
  const wallet = {
    id: 'x',
    name: 'X',
    mobile_link: 'orrery://',
    desktop_link: 'orrery-desktop://',
    webapp_link: 'https://orrery.app',
  }
  expect([linkOf.mobile(wallet), linkOf.desktop(wallet), linkOf.web(wallet)]).toEqual([
    'orrery://',
    'orrery-desktop://',
    'https://orrery.app',
  ])
})
