import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { backupContext, BackupFile } from './backup.ts'

const argon2id = { salt: 'a_-9', memoryKib: 65_536, passes: 3, lanes: 4 }
const file = {
  type: 'gatefold-backup' as const,
  version: 1 as const,
  eip155: '0x1',
  solana: '2',
  createdAt: '2026-11-27',
  argon2id,
  nonce: 'n',
  data: 'd',
}

test('the file of a backup requires all of its members', () => {
  expect(v.parse(BackupFile, file)).toEqual(file)
  for (const member of Object.keys(file)) {
    const { [member as 'data']: _, ...rest } = file
    expect([member, v.is(BackupFile, rest)]).toEqual([member, false])
  }
  for (const member of Object.keys(argon2id)) {
    const { [member as 'salt']: _, ...rest } = argon2id
    expect([member, v.is(BackupFile, { ...file, argon2id: rest })]).toEqual([member, false])
  }
})

describe('attack: a file of a backup', () => {
  test.each<[string, object]>([
    ['another type', { type: 'other' }],
    ['another version', { version: 2 }],
    ['a long address', { eip155: 'a'.repeat(101) }],
    ['a long account', { solana: 'a'.repeat(101) }],
    ['a long time', { createdAt: 'a'.repeat(41) }],
    ['long data', { data: 'a'.repeat(1_001) }],
    ['data that is not base64url', { data: 'a+' }],
    ['data after base64url', { data: 'a\n' }],
    ['data before base64url', { data: ' a' }],
    ['no data', { data: '' }],
  ])('with %s is refused', (_what, change) => {
    expect(v.is(BackupFile, { ...file, ...change })).toBe(false)
  })

  test.each([
    ['memoryKib', [65_536, 1_048_576], [65_535, 1_048_577, 65_536.5]],
    ['passes', [3, 20], [2, 21, 3.5]],
    ['lanes', [1, 4], [0, 5, 1.5]],
  ])('with too much or too little %s is refused', (member, right, wrong) => {
    const accepts = (value: number) =>
      v.is(BackupFile, { ...file, argon2id: { ...argon2id, [member]: value } })
    expect(right.map(accepts)).toEqual(right.map(() => true))
    expect(wrong.map(accepts)).toEqual(wrong.map(() => false))
  })
})

test('the encryption covers the addresses and the time', () => {
  expect(backupContext(file)).toBe('gatefold backup\n0x1\n2\n2026-11-27')
})
