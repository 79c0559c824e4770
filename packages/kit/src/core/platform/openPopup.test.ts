import { afterEach, describe, expect, test, vi } from 'vitest'

import { openPopup } from './openPopup.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page that opens `popup`; records the parameters of `window.open`. */
function page(popup: object | null, place = {}) {
  const open = vi.fn<(url: string, target: string, features: string) => object | null>(() => popup)
  const window = {
    open,
    outerWidth: 1_000,
    outerHeight: 1_000,
    screenX: 100,
    screenY: 50,
    ...place,
  }
  vi.stubGlobal('window', window)
  return open
}
const emptyWindow = () => ({
  closed: false,
  opener: {} as object | null,
  document: { title: '', body: { textContent: '' } },
  location: { replace: vi.fn<(url: string) => void>() },
  close: vi.fn<() => void>(),
  focus: vi.fn<() => void>(),
})

describe('a popup', () => {
  test('is empty, in the middle of the browser window', () => {
    const open = page(emptyWindow())
    openPopup('Loading…')
    const features = 'popup,width=600,height=800,left=300,top=150'
    expect(open.mock.calls).toEqual([['', '_blank', features]])
  })

  test('is on the screen even if the browser window is smaller', () => {
    const open = page(emptyWindow(), { outerWidth: 300, outerHeight: 300 })
    openPopup('Loading…')
    expect(open.mock.calls[0]![2]).toContain('left=0,top=0')
  })

  test('attack: has no opener, so that its page cannot navigate this one', () => {
    const opened = emptyWindow()
    page(opened)
    openPopup('Loading…')
    expect(opened.opener).toBeNull()
  })

  test('shows a text until it navigates', () => {
    const opened = emptyWindow()
    page(opened)
    const popup = openPopup('Loading…')!
    expect(opened.document).toEqual({ title: 'Loading…', body: { textContent: 'Loading…' } })
    popup.navigate('https://pay.example')
    expect(opened.location.replace.mock.calls).toEqual([['https://pay.example']])
  })

  test('can be focused and closed, and tells whether it is closed', () => {
    const opened = emptyWindow()
    page(opened)
    const popup = openPopup('')!
    popup.focus()
    popup.close()
    expect([opened.focus.mock.calls, opened.close.mock.calls]).toEqual([[[]], [[]]])
    expect(popup.closed).toBe(false)
    opened.closed = true
    expect(popup.closed).toBe(true)
  })

  test.each([
    ['nothing', null],
    ['a closed window', { ...emptyWindow(), closed: true }],
  ])('that the browser blocks, with %s, is undefined', (_, opened) => {
    page(opened)
    expect(openPopup('')).toBeUndefined()
  })
})
