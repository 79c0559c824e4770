import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { stubPage } from '../testing/stubPage.ts'
import { isLinkOf } from './appLink.ts'
import { isAndroid, isFramed, isIos, isTelegram, isVisible } from './device.ts'
import { isMobile } from './isMobile.ts'
import { isOffline } from './isOffline.ts'
import { openLink } from './openLink.ts'
import { whenIdle } from './whenIdle.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9)'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const linux = 'Mozilla/5.0 (X11; Linux x86_64)'

describe('a device', () => {
  test.each([
    ['an Android phone', android, 5, { android: true, ios: false, mobile: true }],
    ['an iPhone', iPhone, 5, { android: false, ios: true, mobile: true }],
    ['an iPad with the user agent of a Mac', mac, 5, { android: false, ios: true, mobile: false }],
    ['a Mac', mac, 0, { android: false, ios: false, mobile: false }],
    ['a Mac with a one-point touch screen', mac, 1, { android: false, ios: false, mobile: false }],
    ['a Linux laptop with a touch screen', linux, 5, { android: false, ios: false, mobile: false }],
  ])('is recognized as %s', (_, userAgent, maxTouchPoints, expected) => {
    vi.stubGlobal('navigator', { userAgent, maxTouchPoints })
    vi.stubGlobal('window', {})
    expect({ android: isAndroid(), ios: isIos(), mobile: isMobile() }).toEqual(expected)
  })

  test.each([
    ['iPad', true],
    ['iPod touch', true],
    ['BlackBerry', false],
    ['Opera Mini', false],
    ['webOS', false],
  ])('with the user agent %s is mobile, and runs iOS: %s', (userAgent, ios) => {
    vi.stubGlobal('window', { matchMedia: () => ({ matches: false }) })
    vi.stubGlobal('navigator', { userAgent, maxTouchPoints: 0 })
    expect([isMobile(), isIos()]).toEqual([true, ios])
  })

  test('with a coarse pointer is mobile', () => {
    vi.stubGlobal('navigator', { userAgent: mac, maxTouchPoints: 5 })
    vi.stubGlobal('window', {
      matchMedia: (query: string) => ({ matches: query === '(pointer:coarse)' }),
    })
    expect(isMobile()).toBe(true)
  })

  test.each([
    ['visible', true],
    ['hidden', false],
  ])('with a %s page is visible: %s', (visibilityState, visible) => {
    vi.stubGlobal('document', { visibilityState })
    expect(isVisible()).toBe(visible)
  })

  test('on a server is neither mobile nor framed, but visible', () => {
    vi.stubGlobal('navigator', undefined)
    expect([isAndroid(), isIos(), isMobile(), isTelegram(), isFramed(), isVisible()]).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ])
  })
})

test.each([
  ['a connection', false, { onLine: true }],
  ['no connection', true, { onLine: false }],
  ['Node’s navigator', false, { userAgent: 'Node.js/24' }],
  ['no navigator', false, undefined],
])('a device with %s is offline: %s', (_, offline, navigator) => {
  vi.stubGlobal('navigator', navigator)
  expect(isOffline()).toBe(offline)
})

describe('opening a link', () => {
  const page = (more: object = {}) => {
    const opened: unknown[][] = []
    const window = { open: (...parameters: unknown[]) => opened.push(parameters), ...more }
    vi.stubGlobal('window', { self: window, top: window, ...window })
    return opened
  }
  test.each([
    ['a scheme', {}, {}, '_self'],
    ['a universal link', { newTab: true }, {}, '_blank'],
    ['a scheme in Telegram on iOS', {}, { TelegramWebviewProxy: {} }, '_blank'],
    ['a scheme in Telegram on Android', {}, { TelegramWebviewProxyProto: {} }, '_blank'],
    ['a scheme in a Telegram mini app', {}, { Telegram: {} }, '_blank'],
  ])('%s gives the opened page no reference to this one', (_, options, more, target) => {
    const opened = page(more)
    openLink('orrery://wc', options)
    expect(opened).toEqual([['orrery://wc', target, 'noreferrer noopener']])
  })

  test('from a frame leaves the frame', () => {
    const opened: unknown[][] = []
    vi.stubGlobal('window', { self: 1, top: 2, open: (...all: unknown[]) => opened.push(all) })
    openLink('orrery://wc')
    expect(opened).toEqual([['orrery://wc', '_top', 'noreferrer noopener']])
  })
})

test.each([
  ['mobile_link', 'orrery://', true],
  ['desktop_link', 'orrery://', true],
  ['webapp_link', 'https://orrery.app', false],
  ['link_mode', 'orrery:', true],
  ['homepage', 'orrery://', false],
])('a wallet with the %s %s has a link with the base orrery://: %s', (name, link, known) => {
  const wallet = { id: 'x', name: 'X', [name]: link }
  expect(isLinkOf(wallet, 'orrery://')).toBe(known)
})

describe('idle time', () => {
  let idle: (() => void)[]
  let loaded: EventTarget
  beforeEach(() => {
    idle = []
    vi.useFakeTimers()
  })
  const page = (readyState: DocumentReadyState, hasIdleCallback = true) => {
    const requestIdleCallback = (run: () => void) => idle.push(run)
    loaded = stubPage(readyState)
    vi.stubGlobal('window', hasIdleCallback ? { requestIdleCallback } : {})
    vi.stubGlobal('requestIdleCallback', requestIdleCallback)
    let runs = 0
    const cancel = whenIdle(() => (runs += 1))
    return { cancel, runs: () => runs }
  }
  const flush = () => idle.splice(0).forEach((run) => run())

  test('begins after the page has loaded', () => {
    const { runs } = page('loading')
    expect(idle).toHaveLength(0)
    loaded.dispatchEvent(new Event('load'))
    expect(runs()).toBe(0)
    flush()
    expect(runs()).toBe(1)
    loaded.dispatchEvent(new Event('load'))
    flush()
    expect(runs()).toBe(1)
  })

  test('begins at once on a loaded page; without requestIdleCallback, after 100 ms', () => {
    const { runs } = page('complete', false)
    vi.advanceTimersByTime(99)
    expect(runs()).toBe(0)
    vi.advanceTimersByTime(1)
    expect(runs()).toBe(1)
  })

  test('does not begin once it is canceled', () => {
    const early = page('loading')
    early.cancel()
    loaded.dispatchEvent(new Event('load'))
    expect(idle).toHaveLength(0)
    const late = page('complete')
    late.cancel()
    flush()
    expect([early.runs(), late.runs()]).toEqual([0, 0])
  })
})
