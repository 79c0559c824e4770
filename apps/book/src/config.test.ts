import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

/** The problems with an environment, one per line; undefined if it is valid. */
function problems(env: Record<string, string>) {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').slice(1).join('\n').trim()
    throw error
  }
  return undefined
}

describe('readConfig', () => {
  test('defaults to the local stack, without demo wallets or a font service', () => {
    const config = readConfig({})
    expect(config.public).toMatchObject({
      gateway: 'http://localhost:3001',
      demoWallets: false,
      fontStylesheet: undefined,
    })
    expect(config.public.networks.map(({ id }) => id)).toEqual([31337, 31338])
    expect(config.connect).toEqual([
      'http://localhost:3001',
      'http://localhost:8545',
      'http://localhost:8546',
    ])
    expect(config.fonts).toEqual([])
  })

  test('§1.3 reads the networks and fills in the default currency', () => {
    const sepolia = {
      id: 11155111,
      name: 'Sepolia',
      rpcUrl: 'https://rpc.example/s',
      testnet: true,
    }
    const config = readConfig({ BOOK_NETWORKS: JSON.stringify([sepolia]) })
    expect(config.public.networks).toEqual([{ ...sepolia, symbol: 'ETH', decimals: 18 }])
    expect(config.connect).toContain('https://rpc.example')
  })

  test('omits an empty footer link', () => {
    const { links } = readConfig({ BOOK_LINK_JOIN: '' }).public
    expect(links.map(({ kind }) => kind)).toEqual(['website', 'follow'])
  })

  test('lists the origins of the font service', () => {
    const config = readConfig({
      BOOK_FONT_CSS: 'https://fonts.example/css?family=Newsreader',
      BOOK_FONT_FILES: 'https://files.fonts.example, https://mirror.example',
    })
    expect(config.fonts).toEqual([
      'https://fonts.example',
      'https://files.fonts.example',
      'https://mirror.example',
    ])
  })

  test.each([
    [{ BOOK_LINK_JOIN: 'javascript:alert(1)' }, /^BOOK_LINK_JOIN: expected a URL/],
    [{ BOOK_GATEWAY_URL: 'https://gate.example/v1' }, /^BOOK_GATEWAY_URL: expected an origin/],
    [{ BOOK_DEMO_WALLETS: 'yes' }, /^BOOK_DEMO_WALLETS: expected true or false/],
    [{ BOOK_NETWORKS: 'mainnet' }, /^BOOK_NETWORKS: expected JSON/],
    [{ BOOK_NETWORKS: '[]' }, /^BOOK_NETWORKS: expected at least one network/],
    [{ BOOK_NETWORKS: '[{"id":1,"name":"A"}]' }, /^BOOK_NETWORKS\.0\.rpcUrl: /],
    [{ BOOK_FRAME_ANCESTORS: "'self'; script-src *" }, /^BOOK_FRAME_ANCESTORS\.0: /],
  ])('error: reports the invalid variable in %j', (env, message) => {
    expect(problems(env as unknown as Record<string, string>)).toMatch(message)
  })

  test('error: reports every invalid variable', () => {
    expect(problems({ BOOK_ORIGIN: 'book', BOOK_FONT_CSS: 'fonts' })?.split('\n')).toHaveLength(2)
  })
})
