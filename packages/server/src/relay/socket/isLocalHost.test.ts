import { expect, test } from 'vitest'
import { isLocalHost } from './isLocalHost.ts'

test.each([
  ['localhost:3001', true],
  ['relay.localhost', true],
  ['127.0.0.1:3001', true],
  ['[::1]:3001', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['192.168.1.20:3001', true],
  ['169.254.1.1', true],
  ['[fd00::1]:3001', true],
  ['[fe80::1]', true],
  ['studio.local:3001', true],
  ['relay.example', false],
  ['172.32.0.1', false],
  ['8.8.8.8', false],
  ['[2001:db8::1]', false],
  ['localhost.relay.example', false],
  ['notlocalhost', false],
  ['127.0.0.1@relay.example', false],
  ['127.0.0.1.relay.example', false],
  ['', false],
])('%s is local: %s', (host, expected) => {
  expect(isLocalHost(host)).toBe(expected)
})
