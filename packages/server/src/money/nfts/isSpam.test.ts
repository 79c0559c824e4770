import { expect, test } from 'vitest'
import { isSpam } from './isSpam.ts'

test.each([
  ['Plate 4', 'Plates of the Book', 'A picture plate from the Book of Ethereum.'],
  ['Bored Ape #1', 'Bored Ape Yacht Club', 'See https://example.com for the license.'],
  ['mira.eth', 'ENS: Ethereum Name Service', ''],
  ['Reclaimed land', 'Rewarding views', ''],
])('%s of %s is not spam', (name, collection, description) =>
  expect(isSpam({ name, collection, description })).toBe(false),
)

test.each([
  ['$5,000 Voucher', 'Vouchers', ''],
  ['Visit usdc-gift.com', 'Gift', ''],
  ['Ticket', 'https://eth-drop.xyz', ''],
  ['Box', 'Boxes', 'Claim your reward at https://boxes.example'],
])('attack: %s of %s is spam', (name, collection, description) =>
  expect(isSpam({ name, collection, description })).toBe(true),
)
