import { expect, test } from 'vitest'
import { chromeOnMac } from '../testing/createTestDevice.ts'
import { toDeviceName } from './toDeviceName.ts'

test.each([
  [chromeOnMac, 'Chrome on macOS'],
  [chromeOnMac.replace('Safari/', 'Edg/153.0 Safari/'), 'Edge on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Linux; Android 16) Gecko/150.0 Firefox/150.0', 'Firefox on Android'],
  ['curl/8', 'Browser'],
  [undefined, 'Browser'],
  ['<b>Your account</b> https://evil.example', 'Browser'],
])('%s is %s', (userAgent, name) => {
  expect(toDeviceName(userAgent)).toBe(name)
})
