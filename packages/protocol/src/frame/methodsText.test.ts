import { expect, test } from 'vitest'
import type { KeyWrap } from './api.ts'
import { methodsText, wrapsText } from './methodsText.ts'

const methods = {
  recoveryId: 'id',
  version: 3,
  publicKey: 'key',
  isAutomatic: false,
  wrapsHash: 'hash',
}

test('the signed text of the methods names the key, the version, automatic recovery and the wraps', () => {
  const text = 'gatefold recovery methods\nid\n3\nkey\nnot automatic\nhash'
  expect(methodsText(methods)).toBe(text)
  expect(methodsText({ ...methods, isAutomatic: true })).toBe(text.replace('not ', ''))
})

test('the text of the wraps names each passkey and password with its public key', () => {
  const wraps: KeyWrap[] = [
    {
      method: 'passkey',
      name: 'Mac',
      createdAt: 1,
      credentialId: 'id',
      publicKey: 'a',
      wrapped: 'w',
    },
    {
      method: 'password',
      createdAt: 1,
      salt: 's',
      memoryKib: 65_536,
      passes: 3,
      lanes: 1,
      wrapped: 'w',
    },
  ]
  expect(wrapsText(wraps)).toBe('passkey id a\npassword s ')
})
